#include "land/engine/score_job.h"

#include <utility>

namespace land {

std::int64_t ScoreJob::samples() const {
  if (const auto* target = std::get_if<std::shared_ptr<const Target>>(&against)) return (*target)->size();
  if (const auto* factor = std::get_if<std::shared_ptr<const Factor>>(&against)) return (*factor)->samples;
  return std::get<std::shared_ptr<const FeatureBlock>>(against)->samples;
}

JobScorer::JobScorer(const ScoreJob& job) {
  const Kernels kernels(job.kernel);
  if (const auto* target = std::get_if<std::shared_ptr<const Target>>(&job.against)) {
    form_ = kernels.form(**target);
    scorer_ = make_feature_scorer(**target, form_, job.kernel);
    return;
  }
  if (const auto* factor = std::get_if<std::shared_ptr<const Factor>>(&job.against)) {
    form_ = **factor;
    scorer_ = make_feature_scorer(form_, job.kernel);
    return;
  }
  const FeatureView view = std::get<std::shared_ptr<const FeatureBlock>>(job.against)->view(0);
  form_ = kernels.form(view);
  if (kernels.have_factors()) form_ = stored_by_sample(std::get<Factor>(std::move(form_)));
  Target target;
  target.values.resize(static_cast<std::size_t>(view.samples));
  view.copy_values(target.values);
  scorer_ = make_feature_scorer(target, form_, job.kernel);
}

ScoreJob with_scorer(ScoreJob job) {
  job.scorer = std::make_shared<JobScorer>(job);
  return job;
}

}  // namespace land
