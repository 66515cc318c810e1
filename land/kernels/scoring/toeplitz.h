// Products with the kernel matrix of levels that stand at equal distances. SIMD behind this header.
#pragma once

#include <span>

namespace land {

// out[a] = sum_b x[b] mirrored[size - 1 - a + b], size = x.size() = out.size(); mirrored[size - 1 + d] is the kernel at
// distance d, -size < d < size.
void toeplitz_product(std::span<const double> x, std::span<const double> mirrored, std::span<double> out);

}  // namespace land
