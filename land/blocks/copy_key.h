// A cheap number that copies of a feature share: one that no other feature has need not be compared with any.
#pragma once

#include <cstdint>
#include <vector>

#include "land/blocks/feature_block.h"

namespace land {

// From a checksum alone, which equal features share; where values are float32 or float64, mirrored ones, too: the words
// of x and -x differ by 2^31, and multipliers are odd.
constexpr std::uint32_t copy_key_of(std::uint64_t checksum) {
  const auto key = static_cast<std::uint32_t>(checksum & 0x7FFFFFFFU);
  return key == 0 ? 1 : key;
}

// What keys of so many samples need, made once.
class CopyKeys {
 public:
  explicit CopyKeys(std::int64_t samples);

  // Below 2^31; 0 for a feature that is constant. Equal for features that are equal or mirrored to the bit, and for
  // whole numbers that are shifted, scaled by a whole number or mirrored. Others share a key by chance, more often than
  // a signature (signature.h). Takes a pass over the bytes of coded features; of others little but their checksum.
  std::uint32_t key(const FeatureView& feature) const;

 private:
  std::uint64_t of_codes(const FeatureView& feature) const;
  std::uint64_t of_genotypes(const FeatureView& feature) const;

  std::vector<std::uint32_t> weights_;  // odd, one per sample
  std::uint32_t total_ = 0;
};

}  // namespace land
