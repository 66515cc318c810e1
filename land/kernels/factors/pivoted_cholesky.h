// Columns phi of a feature's kernel by pivoted Cholesky decomposition. docs/math.md, (3) and (4).
#pragma once

#include <cstdint>
#include <vector>

#include "land/kernels/points/standardise.h"

namespace land {

// phi(u) = map^T k(u, points): columns phi with Phi Phi^T below K in the order of positive semidefinite matrices.
struct KernelMap {
  std::vector<double> points;
  std::vector<double> map;  // [point][column]
  std::int64_t columns = 0;
  bool triangular = false;  // zero where point > column
};

// Points among which pivots are looked for, each with the number of samples it stands for.
struct PivotPool {
  std::vector<std::int64_t> points;  // ascending
  std::vector<double> weights;
};

// All distinct values if they are few; or the first point in each of 128 equal parts of the range, which misses no
// tail.
PivotPool pivot_pool(const Points& points);

// Takes the point of largest residual for a pivot until the mean residual over the pool is below `tolerance` times the
// mean centred trace. The same on every instruction set, to the bit. Cost: O(pool r^2) for r pivots.
KernelMap pivoted_cholesky(const Points& points, const PivotPool& pool, double sigma, double tolerance);

}  // namespace land
