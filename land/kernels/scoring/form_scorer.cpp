#include "land/kernels/scoring/form_scorer.h"

#include <algorithm>

#include "land/kernels/scoring/scorer.h"

namespace land {
namespace {

// What a few roundings in double may have lost.
double round_up(double x) { return x * (1.0 + 1e-12); }

}  // namespace

void FormScorer::score(const FeatureBlock& block, const Context& context, std::span<Score> scores) const {
  for (std::int64_t k = 0; k < block.features(); ++k) {
    context.check_stop();
    const FeatureView view = block.view(k);
    scores[static_cast<std::size_t>(k)] = view.header->constant ? Score{} : score_exactly(view);
  }
}

Score FormScorer::score_exactly(const FeatureView& feature) const {
  const KernelForm form = kernels_.form(feature);
  const bool explained = kernels_.options().adjustment != nullptr && size_of(form).scale == 0.0;
  if (explained) return {kExplained};
  return exact_score(redundancy(form, target_form_), size_of(form), size_of(target_form_), kernels_.options());
}

Score exact_score(double f, const FormSize& feature, const FormSize& target, const KernelOptions& options) {
  // Full kernels exceed the factors by their residuals.
  const double apart = options.factor == FactorKind::kFull ? 2.0 * (feature.residual + target.residual) : 0.0;
  const double beyond =
      (apart + feature.rounding + target.rounding) * feature.norm * feature.scale * target.norm * target.scale;
  const double norm = feature.sketched > 0.0 ? feature.sketched : feature.norm * (1.0 + feature.residual);
  return score_between(f * (1.0 - 1e-9) - beyond, f * (1.0 + 1e-9) + beyond, norm);
}

Score score_between(double low, double bound, double norm) {
  Score score{round_up(bound), round_up(norm), 0.0};
  score.error = round_up(score.relevance - std::max(low, 0.0));
  return score;
}

std::unique_ptr<const FeatureScorer> make_feature_scorer(const Target& target, const KernelForm& target_form,
                                                         const KernelOptions& options) {
  if (!Kernels(options).have_bounds()) return std::make_unique<FormScorer>(target_form, options);
  return std::make_unique<Scorer>(target, std::get<Factor>(target_form), options);
}

std::unique_ptr<const FeatureScorer> make_feature_scorer(const KernelForm& form, const KernelOptions& options) {
  if (!Kernels(options).have_bounds()) return std::make_unique<FormScorer>(form, options);
  return std::make_unique<Scorer>(std::get<Factor>(form), options);
}

}  // namespace land
