// An orthonormal basis of what some columns span.
#pragma once

#include <vector>

#include "land/kernels/factors/dense_columns.h"

namespace land {

// What of a column those before it leave, relative to the column, below which it depends on them.
inline constexpr double kDependent = 1e-6;

// By Gram and Schmidt, in the order of the columns, each twice; those that depend on earlier ones add nothing. Summed
// in a fixed order, the same on every machine. Cost: n q^2 for q columns.
DenseColumns orthonormal_basis(std::vector<std::vector<double>> columns);

// Of the rows of a basis that are kept, the others being zero.
DenseColumns restricted_basis(const DenseColumns& basis, const std::vector<bool>& kept);

}  // namespace land
