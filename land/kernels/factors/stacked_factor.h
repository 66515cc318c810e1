// The factor of a sum of kernels of one feature, each normalised. docs/math.md, "Several widths".
#pragma once

#include <vector>

#include "land/kernels/factors/factor.h"

namespace land {

// What all parts together may have of the residual that a factor may have; the rest is for axes that stacking leaves
// out.
inline constexpr double kShareOfStacked = 0.5;

// F F^T = sum over parts w of F_w F_w^T / ||F_w F_w^T||_F. Parts are all coded, with the same codes, or none is.
Factor stack_factors(std::vector<Factor> parts, FactorUse use);

}  // namespace land
