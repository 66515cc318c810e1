// How much of permuted targets is in the leading axes of 16 features: the loop that dominates permutations, in float32.
// SIMD behind this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"

namespace land {

inline constexpr std::size_t kColumnsTogether = 4;  // of permuted targets: they stand side by side, sample by sample
// Samples whose products are added up in registers: so the error does not grow with all of them.
inline constexpr std::size_t kSamplesTogether = 512;

// Columns of unit length, in groups of kColumnsTogether: [group][sample][column of the group].
struct PermutedColumns {
  std::size_t samples = 0;
  std::size_t count = 0;  // a whole number of groups; what pads the last one is zero
  AlignedBuffer<float> values;
};

// For every column c and lane l:
//   most[c * kStripWidth + l]  += sum over axes a of high[a * kStripWidth + l] g^2,
//   least[c * kStripWidth + l] += sum over axes a of low[a * kStripWidth + l] g^2,
// g being the product of the column with the axis, known to axis_product_error(). `axes`: 3 or 6 for each of 16
// features, [sample][axis][lane], of unit length or zero; as many as there are `high` and `low`. `least` may be empty;
// `low` is not looked at then.
void add_axis_products(std::span<const float> axes, const PermutedColumns& columns, std::span<const float> high,
                       std::span<const float> low, std::span<float> most, std::span<float> least);
inline constexpr std::size_t kAxesTogether = 3;

// What a product of two unit vectors of so many samples, rounded to float32, may be off by.
double axis_product_error(std::size_t samples);

}  // namespace land
