// Points -> the factor of the linear kernel u u', which is exact: the points themselves.
#pragma once

#include "land/kernels/factors/factor.h"
#include "land/kernels/points/standardise.h"
#include "land/options/options.h"

namespace land {

// By sample. Missing values are zero; with Missing::kLevel a second column tells them from the others.
Factor linear_factor(const Points& points, const KernelOptions& options);

}  // namespace land
