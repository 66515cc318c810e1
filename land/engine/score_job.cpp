#include "land/engine/score_job.h"

#include <utility>

namespace land {

std::int64_t ScoreJob::samples() const {
  const auto* target = std::get_if<std::shared_ptr<const Target>>(&against);
  return target != nullptr ? (*target)->size() : std::get<std::shared_ptr<const FeatureBlock>>(against)->samples;
}

JobScorer::JobScorer(const ScoreJob& job) {
  const Kernels kernels(job.kernel);
  if (const auto* target = std::get_if<std::shared_ptr<const Target>>(&job.against)) {
    factor_ = kernels.factor(**target);
    scorer_ = std::make_unique<Scorer>(**target, factor_, job.kernel);
    return;
  }
  const FeatureView view = std::get<std::shared_ptr<const FeatureBlock>>(job.against)->view(0);
  factor_ = stored_by_sample(kernels.factor(view));
  Target target;
  target.values.resize(static_cast<std::size_t>(view.samples));
  view.copy_values(target.values);
  scorer_ = std::make_unique<Scorer>(target, factor_, job.kernel);
}

ScoreJob with_scorer(ScoreJob job) {
  job.scorer = std::make_shared<JobScorer>(job);
  return job;
}

}  // namespace land
