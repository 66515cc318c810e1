// Full n x n kernel matrices: the reference that everything else approximates, and what --exact uses.
#pragma once

#include <cstdint>
#include <vector>

#include "land/kernels/points/classes.h"
#include "land/kernels/points/standardise.h"
#include "land/options/options.h"

namespace land {

// K~ = HKH / ||HKH||_F (NHSIC) or HKH / n (HSIC), n x n, row by row.
struct FullKernel {
  std::int64_t samples = 0;
  std::vector<double> values;
};

FullKernel gaussian_matrix(const Points& points, const KernelOptions& options);
FullKernel laplace_matrix(const Points& points, const KernelOptions& options);
// |u| + |u'| - |u - u'|: after centring the same as -|u - u'|, and positive semidefinite before.
FullKernel distance_matrix(const Points& points, const KernelOptions& options);
FullKernel linear_matrix(const Points& points, const KernelOptions& options);
FullKernel class_matrix(const Classes& classes, Measure measure);

// <A, B>, summed row by row.
double inner_product(const FullKernel& a, const FullKernel& b);

}  // namespace land
