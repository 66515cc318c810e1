// From float32 values to the cheapest lossless encoding: side by side in strips, or one feature by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/copy_strips.h"
#include "land/blocks/feature_block.h"

namespace land {

// A run of features, copied into strips of a block first and appended to it one by one then. An object is used again
// from run to run: it keeps its buffers.
class StripRun {
 public:
  // Value (i, k) is source[i * stride + k], i < block.samples, k < count. `multipliers`: of the checksum, one for each
  // sample.
  void put(const float* source, std::int64_t stride, std::int64_t count, std::span<const std::uint32_t> multipliers,
           FeatureBlock& block);
  // Appends feature k of the run as `id`: as codes if it has few values, else where it stands in its strip. False, and
  // nothing is appended, if a value is not finite, or they are too large to add up.
  bool append(std::int64_t k, std::int64_t id, FeatureBlock& block);

 private:
  std::int64_t offset_ = 0;  // of the first strip
  std::vector<StripSums> sums_;
  std::int64_t looked_at_ = -1;  // the strip that repeats_ is of
  std::uint32_t repeats_ = 0;    // lanes_with_repeats
};

// Appends one feature with stride 1, with the encoding and the checksum that a StripRun gives it. False, and nothing is
// appended, for values that one does not append.
bool encode_floats(std::span<const float> values, std::span<const std::uint32_t> multipliers, std::int64_t id,
                   FeatureBlock& block);

}  // namespace land
