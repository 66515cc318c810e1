// The scoring pass: an upper bound of every feature's relevance, mostly within half a per cent, from one look at its
// values.
// docs/math.md, "The scoring pass".
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/kernels/chebyshev_table.h"
#include "land/kernels/factor.h"
#include "land/kernels/strip_sums.h"
#include "land/kernels/target_pieces.h"
#include "land/options.h"
#include "land/target.h"

namespace land {

struct Score {
  double relevance = -1.0;  // an upper bound of f_k; negative for a constant feature, which is left out
  double norm = 0.0;        // an upper bound of ||HK_kH||_F
  double error = 0.0;       // f_k is at least relevance - error
};

// What the pass needs of the target, made once. score() is thread-safe and a pure function of the block.
class Scorer {
 public:
  Scorer(const Target& target, const Factor& target_factor, KernelOptions options);
  ~Scorer();

  void score(const FeatureBlock& block, std::span<Score> scores) const;
  // From the feature's own factor, in double: slow, and off by rounding alone.
  Score score_exactly(const FeatureView& feature) const;

 private:
  struct Strip;
  // Means and contrasts of a strip's Chebyshev polynomials.
  void sum_classes(const Strip& strip, const StripMap& map, int degree, float* means,
                   AlignedBuffer<float>& contrasts) const;
  void sum_pieces(const Strip& strip, const StripMap& map, int degree, float* means,
                  AlignedBuffer<float>& contrasts) const;
  void score_strip(const Strip& strip, const FeatureBlock& block, std::span<Score> scores) const;
  Score score_codes(const FeatureView& feature) const;
  Score score_sparse(const FeatureView& feature) const;
  Score score_sparse_counts(const FeatureView& feature) const;
  Score score_sparse_codes(const FeatureView& feature) const;
  double factor_error(double norm) const;
  static Score score_of(double bound, double low, double norm);
  // From contrasts' K contrasts and ||HKH||_F, both exact to rounding.
  Score bound_of(double numerator, double norm) const;

  const Factor& target_factor_;
  KernelOptions options_;
  std::int64_t samples_;
  std::unique_ptr<ChebyshevTables> tables_;

  // Classes: the samples of each, and the class of each sample.
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<std::uint16_t> labels_;
  std::vector<std::uint8_t> byte_labels_;  // the same, if there are at most 256 classes
  std::vector<std::int64_t> members_;
  std::vector<std::uint64_t> class_masks_;         // of packed samples: see packed_counts.h
  std::vector<ContrastWeights> contrast_weights_;  // of a class's sums in its contrast
  std::vector<double> roots_;  // of the contrasts root (mean over the class - mean over all): two classes need only one
  std::int64_t classes_ = 0;
  // Numbers: the leading columns of the target's factor.
  TargetPieces pieces_;
  std::int64_t columns_ = 0;
  // All columns of the target's factor, [sample][column]: for sparse features, made when the first of them comes.
  const std::vector<double>& target_rows() const;
  mutable std::once_flag target_rows_made_;
  mutable std::vector<double> target_rows_;
  double left_out_ = 0.0;            // relevance that the other columns can hold

  double weight_ = 0.0;          // sqrt of the sum over contrasts of (sum of |weights|)^2: V in (13)
  double contrast_error_ = 0.0;  // the same of what the contrasts are off by
};

}  // namespace land
