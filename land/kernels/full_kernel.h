// Full n x n kernel matrices: the reference that everything else approximates, and what --exact uses.
#pragma once

#include <cstdint>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/options.h"
#include "land/target.h"

namespace land {

// K~ = HKH / ||HKH||_F (NHSIC) or HKH / n (HSIC), n x n, row by row.
struct FullKernel {
  std::int64_t samples = 0;
  std::vector<double> values;
};

FullKernel make_full_kernel(const FeatureView& feature, const KernelOptions& options);
FullKernel make_full_kernel(const Target& target, const KernelOptions& options);

// <A, B>, summed row by row.
double inner_product(const FullKernel& a, const FullKernel& b);

}  // namespace land
