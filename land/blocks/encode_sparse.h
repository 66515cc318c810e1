// From the stored entries of a column that is mostly zero to the cheapest lossless encoding.
#pragma once

#include <cstdint>
#include <span>

#include "land/blocks/feature_block.h"

namespace land {

// Sparse pays below this share of samples that are not zero.
constexpr bool sparse_pays(std::int64_t stored, std::int64_t samples) { return 4 * stored <= samples; }

// Appends feature `id` to the block. `rows` rise strictly; values may be zero, and NaN where they are missing.
// `multipliers`: checksum_multiplier of every sample.
template <class Row, class T>
void encode_sparse(std::span<const Row> rows, std::span<const T> values, std::span<const std::uint32_t> multipliers,
                   std::int64_t id, FeatureBlock& block);

}  // namespace land
