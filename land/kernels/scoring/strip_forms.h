// Quadratic forms of the Chebyshev sums of a strip of 16 features: what the scoring pass makes of them. SIMD behind
// this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/kernels/scoring/chebyshev_table.h"

namespace land {

// Of a kernel, and of the kernels of two widths (or one with itself).
struct WidthForm {
  alignas(64) float contrast[kStripWidth];  // sum over contrasts j of ||B d_j||^2
};
struct PairForm {
  alignas(64) float centred[kStripWidth];        // <HKH, HLH> / n^2, computed
  alignas(64) float centred_error[kStripWidth];  // degrees of the mean of (K 1)(L 1) that are not known; (14)
  alignas(64) float roundoff[kStripWidth];       // 2^-24 times this: what its sums can be off by; (14)
};

struct StripForms {
  alignas(64) float contrast_size[kStripWidth];  // sum over contrasts of ||d_j||^2
  std::vector<WidthForm> kernels;                // as the table has them
  std::vector<PairForm> pairs;
};

// contrasts: `count` arrays of (degree + 1) * 16 floats; means: (degree + 1) * 16 floats, the mean of T_k over all
// samples.
void strip_forms(const ChebyshevTable& table, std::span<const float> contrasts, std::int64_t count,
                 std::span<const float> means, StripForms& forms);

}  // namespace land
