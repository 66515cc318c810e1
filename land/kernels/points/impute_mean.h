// The mean of the others in place of values that are missing.
#pragma once

#include <span>

namespace land {

// Where a value is NaN. Each stands for `weights` samples (one each when empty). Returns the mean; NaN if all are
// missing. However large the values are, it is finite.
double impute_mean(std::span<double> values, std::span<const double> weights = {});

}  // namespace land
