// Kernels without what covariates tell of them: (I - QQ^T) K (I - QQ^T), scaled again: (26).
#pragma once

#include <memory>

#include "land/kernels/factors/factor.h"
#include "land/kernels/factors/full_kernel.h"
#include "land/options/options.h"

namespace land {

// Turned to its principal axes, by sample. Its residual is what the factor lacked, relative to the norm that is left.
// Norm and scale are zero if less than kLeastLeft of the norm is left. Cost: O(n r (r + q)).
Factor projected(Factor factor, const std::shared_ptr<const DenseColumns>& basis, Measure measure);

// The same of a whole matrix. Cost: O(n^2 q).
FullKernel projected(FullKernel kernel, const DenseColumns& basis, Measure measure);

// The factor of a whole matrix, of as many columns as it has rank: for kernels that have no other. Cost: O(n^3).
Factor factor_of(const FullKernel& kernel);

}  // namespace land
