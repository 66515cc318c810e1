// The mean of the others in place of values that are missing.
#pragma once

#include <span>

namespace land {

// Where a value is NaN. Each stands for `weights` samples (one each when empty).
void impute_mean(std::span<double> values, std::span<const double> weights = {});

}  // namespace land
