// Points -> the factor of their Gaussian kernel, by pivoted Cholesky or over the paper's fixed basis.
#pragma once

#include "land/kernels/factors/factor.h"
#include "land/kernels/points/standardise.h"
#include "land/options/options.h"

namespace land {

// `by_level`: points that are distinct values keep their codes. Cost: O(n r (r + exp)), r its 12 to 20 columns.
Factor gaussian_factor(Points values, bool by_level, const KernelOptions& options, FactorUse use);

}  // namespace land
