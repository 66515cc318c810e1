// A number that features share if one is the other shifted, scaled or mirrored; others hardly ever do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"

namespace land {

// What signatures of so many samples need, made once.
class Signer {
 public:
  explicit Signer(std::int64_t samples);

  // With a and b the first two values that differ, in the order of the samples, every value x is taken for
  // (x - a) / (b - a), which no affine map changes; their hashes add up, each with the weight of its sample. Whole
  // numbers, the usual case, make these quotients equal to the bit. Of a sparse feature only what is stored is visited.
  // 0 for features that are constant, lack values, or have no levels.
  std::uint64_t signature(const FeatureView& feature) const;
  // The same, of features without levels and of genotypes, too, sample by sample; 0 if they are nominal.
  std::uint64_t signature_by_value(const FeatureView& feature) const;

 private:
  std::vector<std::uint64_t> weights_;  // odd, one per sample
  std::uint64_t total_ = 0;
};

// Whether one is the other shifted, scaled or mirrored, by the very quotients that signatures are made of.
bool are_copies(const FeatureView& a, const FeatureView& b);

}  // namespace land
