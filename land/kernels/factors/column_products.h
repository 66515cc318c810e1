// left^T right of columns over all samples: the loops that dominate exact pairs. SIMD behind this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "land/kernels/factors/dense_columns.h"

namespace land {

// left^T right for many pairs at once, so that values are used while in cache: each(l * rights.size() + r, products) is
// called for the pairs that are wanted, with products as column_products gives them. Best with 4 lefts and many rights.
// Bit for bit what any other grouping gives.
void pair_products(std::span<const Columns* const> lefts, std::span<const Columns* const> rights,
                   std::span<const std::uint8_t> wanted,
                   const std::function<void(std::size_t pair, std::span<const double> products)>& each);

// products[a * right.columns + b] = sum over samples of left.at(i, a) right.at(i, b), in an order fixed by the target.
void column_products(const Columns& left, const Columns& right, double* products);

// The sum of squares of a rows x columns matrix, the same to the bit for its transpose.
double sum_of_squares(std::span<const double> products, std::int64_t rows, std::int64_t columns);

}  // namespace land
