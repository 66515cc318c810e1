// What a target is to the scoring pass: contrasts, whose sums over the samples bound every relevance. Each kind of
// target has its own. docs/math.md, "The scoring pass".
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/scoring/level_forms.h"
#include "land/kernels/scoring/level_table.h"
#include "land/kernels/scoring/strip_sums.h"

namespace land {

// Thread-safe.
class Contrasts {
 public:
  virtual ~Contrasts() = default;

  // Of a strip of features: means and contrasts of its Chebyshev polynomials.
  virtual void of_strip(const float* strip, const StripMap& map, int degree, float* means,
                        AlignedBuffer<float>& contrasts) const = 0;
  // Of the levels of a feature in codes: their shares and contrasts.
  virtual void of_codes(const FeatureView& feature, LevelTable& table) const = 0;
  // Of the levels but 0 of a feature in sparse codes.
  virtual void of_sparse_codes(const FeatureView& feature, LevelTable& table) const = 0;
  // The forms of a feature in sparse codes, where there is a quicker way to them than through a table.
  virtual std::optional<LevelForms> sparse_forms(const FeatureView& /*feature*/, double /*sigma*/) const {
    return std::nullopt;
  }

  // Roundings of a sum over a strip, in float32.
  virtual double sum_roundings() const = 0;
  // The root of the sum over contrasts of (sum of |weights|)^2: V in (13); and the same of what they are off by.
  double weight() const { return weight_; }
  double error() const { return error_; }
  // Relevance that is in none of the contrasts, relative to the target's norm.
  double left_out() const { return left_out_; }

 protected:
  double weight_ = 0.0;
  double error_ = 0.0;
  double left_out_ = 0.0;
};

// Classes: one contrast for each, between its mean and the mean of all; a single one for two classes.
std::unique_ptr<const Contrasts> class_contrasts_of(const Target& target);

// Numbers: `target` has its values; the contrasts are the leading columns of the target's factor, which must outlive
// the contrasts.
std::unique_ptr<const Contrasts> number_contrasts_of(std::span<const double> target, const Factor& target_factor,
                                                     double sigma);

// Whatever the target is: the leading columns of its factor, as they are. The factor must outlive the contrasts.
std::unique_ptr<const Contrasts> column_contrasts_of(const Factor& target_factor);

}  // namespace land
