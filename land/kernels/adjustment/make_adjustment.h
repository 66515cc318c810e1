// Covariates as they were written -> what they take out of kernels.
#pragma once

#include <memory>
#include <span>

#include "land/data/target_column.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/options/options.h"

namespace land {

// What make_target calls classes is nominal: the basis has the indicators of its levels. Of others it has the leading
// columns of their Gaussian factor, of width 1, after `transform`. Null if there are no covariates. Throws InputError
// for a covariate that is constant or lacks values, and when there are too few samples for all columns.
std::shared_ptr<const Adjustment> make_adjustment(std::span<const TargetColumn> covariates, Transform transform);

}  // namespace land
