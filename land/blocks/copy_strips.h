// Copies a tile of a sample-major float32 matrix into strips, taking statistics on the way. SIMD behind this header.
#pragma once

#include <cstdint>
#include <span>

#include "land/blocks/feature_block.h"

namespace land {

// Statistics of the 16 features of a strip.
struct StripSums {
  alignas(64) float reference[kStripWidth];  // subtracted before summing, against cancellation
  alignas(64) float minimum[kStripWidth];
  alignas(64) float maximum[kStripWidth];
  alignas(64) double sum[kStripWidth];      // of x - reference; not finite if any value is not
  alignas(64) double squares[kStripWidth];  // of (x - reference)^2
  alignas(64) std::uint32_t checksum[kStripWidth];
};

// Roundings behind `squares` and `sum`: the variance they give is off by at most this times 2^-24 times squares/n.
// Differences, squares and chains of 8 inside blocks of 64 samples summed in float32, the blocks in double.
inline constexpr double kVarianceRoundings = 70.0;

// Source element (i, j) is source[i * sample_stride + j], i < samples, j < features. Strip s holds features 16 s ... at
// strips + s * samples * 16, one row of 16 after the other; lanes past `features` are copies of zero. `multipliers`:
// one odd number per sample. sums[s].reference must be set.
void copy_strips(const float* source, std::int64_t sample_stride, std::int64_t samples, std::int64_t features,
                 std::span<const std::uint32_t> multipliers, float* strips, std::span<StripSums> sums);

// Bit l is set when lane l of the strip repeats a value within its first `rows` rows: few-valued features do.
std::uint32_t lanes_with_repeats(const float* strip, std::int64_t rows);

}  // namespace land
