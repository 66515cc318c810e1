// The inner loops of the scoring pass: Chebyshev sums over a strip of 16 features. SIMD behind this header; lane =
// feature, so the order of every sum is the same on every instruction set.
#pragma once

#include <cstdint>
#include <span>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/scoring/chebyshev_table.h"

namespace land {

// t = (x - middle) * scale maps each feature of the strip into [-1, 1]. A lane to be ignored has scale 0.
struct StripMap {
  alignas(64) float middle[kStripWidth];
  alignas(64) float scale[kStripWidth];
};

// Longest chain of float32 roundings behind a sum: groups of 4 inside blocks of 256 samples, blocks added in double.
inline constexpr double kClassSumRoundings = 68.0;
// The same for weighted sums: blocks of 32 samples, each a multiplication and an addition.
inline constexpr double kWeightedSumRoundings = 64.0;

// out[k * 16 + lane] = sum over `rows` of T_k(t), k = 0 .. degree. `degree` is even.
void chebyshev_sums(const float* strip, std::span<const std::int32_t> rows, const StripMap& map, int degree,
                    double* out);

// out[(j * (degree + 1) + k) * 16 + lane] = sum over `rows` of weight j times T_k(t), k = 1 .. degree, and 0 for k = 0.
// `weights`: of each row, as many, a multiple of 4. `degree` is even, `rows` not empty.
void weighted_chebyshev_sums(const float* strip, std::span<const std::int32_t> rows, std::span<const float> weights,
                             const StripMap& map, int degree, double* out);

// out[j][i] += sum over weights q of shares[q][j] sums[q][i]: columns from sums of weights.
void add_shares(std::span<const double> sums, std::span<const double> shares, std::size_t columns, double* out);

// What of a class's sums goes into its contrast: of_class times the sum over the class minus of_all times that over
// all.
struct ContrastWeights {
  double of_class;
  double of_all;
};

// From sums over each class, `size` numbers for each: the means over all samples, and the contrasts of the first
// classes, one for each of `weights`.
void class_contrasts(std::span<const double> sums, std::size_t size, double samples,
                     std::span<const ContrastWeights> weights, float* contrasts, float* means);

}  // namespace land
