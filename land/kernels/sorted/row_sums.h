// Sums over the entries of K' (sorted_kernel.h): O(n).
#pragma once

#include <cstdint>
#include <span>

#include "land/kernels/sorted/sorted_kernel.h"

namespace land {

// rows[i] = sum of K'_ij over the samples j that are not `left_out` (1; empty: none is); zero where i is in no ray.
void row_sums(const SortedKernel& kernel, std::span<const std::uint8_t> left_out, std::span<double> rows);

// ||K'||_F^2.
double sum_of_squares(const SortedKernel& kernel);

}  // namespace land
