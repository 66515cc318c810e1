// The scoring pass: an upper bound of every feature's relevance, mostly within half a per cent, from one look at its
// values.
// docs/math.md, "The scoring pass".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/chebyshev_table.h"
#include "land/kernels/scoring/contrasts.h"
#include "land/kernels/scoring/feature_scorer.h"
#include "land/kernels/scoring/score.h"
#include "land/kernels/scoring/strip_forms.h"
#include "land/options/options.h"

namespace land {

// What the pass needs of the target, made once. For kernels of numbers that have bounds.
class Scorer final : public FeatureScorer {
 public:
  Scorer(const Target& target, const Factor& target_factor, const KernelOptions& options);
  // Of a factor that is nobody's kernel, stored by sample.
  Scorer(const Factor& target_factor, const KernelOptions& options);
  ~Scorer() override;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  void score(const FeatureBlock& block, const Context& context, std::span<Score> scores) const override;
  Score score_exactly(const FeatureView& feature) const override;

 private:
  Scorer(std::unique_ptr<const Contrasts> contrasts, const Factor& target_factor, const KernelOptions& options);

  struct Strip;
  void score_strip(const Strip& strip, const FeatureBlock& block, std::span<Score> scores) const;
  Score score_codes(const FeatureView& feature) const;
  Score score_sparse(const FeatureView& feature) const;
  struct Errors;
  Errors errors_of(const ChebyshevTable& table, double deviation_error) const;
  // Nothing if the norm is not known well enough.
  std::optional<Score> score_lane(const StripForms& forms, const Errors& errors, std::size_t lane) const;
  // What sketches of a feature are to be divided by: `norm` of its kernel, a sum of kernels of these norms.
  double sketch_norm(double norm, std::span<const double> norms) const;
  double factor_error(double norm) const;
  // From contrasts' K contrasts and ||HKH||_F, both exact to rounding.
  Score bound_of(const LevelForms& forms, double samples) const;

  const Factor& target_factor_;
  Kernels kernels_;
  const KernelOptions& options_;
  std::int64_t samples_;
  std::vector<double> usual_norms_;  // of kernels of these widths, of normally distributed values; of one width, 1
  std::unique_ptr<const Contrasts> contrasts_;
  std::unique_ptr<ChebyshevTables> tables_;
};

}  // namespace land
