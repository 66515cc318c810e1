// From a column of numbers to the cheapest lossless encoding.
#pragma once

#include <cstdint>
#include <span>

#include "land/blocks/feature_block.h"

namespace land {

// Codes pay when the levels are few beside the samples: tables of levels then replace sums over samples.
constexpr bool codes_pay(std::int64_t distinct, std::int64_t samples) {
  return (distinct <= 64 && 4 * distinct <= samples) || (distinct <= 256 && 16 * distinct <= samples);
}

// Appends feature `id` with these values (finite, or NaN where they are missing) to the block: codes if they pay, else
// float32 if exact, else float64. `multipliers`: of the checksum, one per sample.
void encode_column(std::span<const double> values, std::span<const std::uint32_t> multipliers, std::int64_t id,
                   FeatureBlock& block);

// Appends it as codes if they pay; otherwise leaves the block as it was and returns false. Gives up early on columns
// with many values. The checksum is left to the caller.
bool encode_codes(const float* values, std::int64_t stride, std::int64_t id, FeatureBlock& block);

// Appends a column of bytes, signed or not, as codes (the byte less its minimum) if they pay, else as float32.
// `multipliers`: of the checksum, one per sample.
void encode_bytes(std::span<const std::uint8_t> values, bool is_signed, std::span<const std::uint32_t> multipliers,
                  std::int64_t id, FeatureBlock& block);

// Makes a feature of the block, whose payload is its own, codes whether they pay or not; its checksum stays. False, and
// nothing is changed, if it has more than 256 values.
inline constexpr int kMostNominal = 256;
bool encode_categories(std::int64_t position, FeatureBlock& block);

}  // namespace land
