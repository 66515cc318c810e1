// What the scoring pass asks of whoever scores features. Thread-safe; a pure function of the block.
#pragma once

#include <memory>
#include <span>

#include "land/base/context.h"
#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/score.h"
#include "land/options/options.h"

namespace land {

class FeatureScorer {
 public:
  virtual ~FeatureScorer() = default;

  // Between features it looks whether it is to stop.
  virtual void score(const FeatureBlock& block, const Context& context, std::span<Score> scores) const = 0;
  // From the feature's own form, in double: slow, and off by rounding alone. It is not constant.
  virtual Score score_exactly(const FeatureView& feature) const = 0;
};

// By bounds (scorer.h) where the kernel of numbers has them, else from forms. `target_form`: what the kernels make of
// the target, a factor being stored by sample or by level; it must outlive the scorer.
std::unique_ptr<const FeatureScorer> make_feature_scorer(const Target& target, const KernelForm& target_form,
                                                         const KernelOptions& options);

// The same for a factor in the target's place, stored by sample, which must outlive the scorer. `form` holds it.
std::unique_ptr<const FeatureScorer> make_feature_scorer(const KernelForm& form, const KernelOptions& options);

}  // namespace land
