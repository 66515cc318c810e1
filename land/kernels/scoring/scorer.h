// The scoring pass: an upper bound of every feature's relevance, mostly within half a per cent, from one look at its
// values.
// docs/math.md, "The scoring pass".
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/chebyshev_table.h"
#include "land/kernels/scoring/contrasts.h"
#include "land/kernels/scoring/feature_scorer.h"
#include "land/kernels/scoring/score.h"
#include "land/options/options.h"

namespace land {

// What the pass needs of the target, made once. For kernels of numbers that have bounds.
class Scorer final : public FeatureScorer {
 public:
  Scorer(const Target& target, const Factor& target_factor, const KernelOptions& options);
  ~Scorer() override;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  void score(const FeatureBlock& block, std::span<Score> scores) const override;
  Score score_exactly(const FeatureView& feature) const override;

 private:
  struct Strip;
  void score_strip(const Strip& strip, const FeatureBlock& block, std::span<Score> scores) const;
  Score score_codes(const FeatureView& feature) const;
  Score score_sparse(const FeatureView& feature) const;
  double factor_error(double norm) const;
  // From contrasts' K contrasts and ||HKH||_F, both exact to rounding.
  Score bound_of(double numerator, double norm) const;

  const Factor& target_factor_;
  Kernels kernels_;
  const KernelOptions& options_;
  std::int64_t samples_;
  std::unique_ptr<const Contrasts> contrasts_;
  std::unique_ptr<ChebyshevTables> tables_;
};

}  // namespace land
