// The path of a linear lasso: its knots, and who has which coefficients at each.
#pragma once

#include <vector>

#include "land/methods/linear/responses.h"
#include "land/methods/method.h"
#include "land/path/path.h"

namespace land {

// A candidate whose part outside the span of the active features is smaller, as a mean square, is parked: coefficients
// are signed here, and such features would have huge ones that cancel. A copy in this sense of one active feature never
// enters beside it, though its correlation may exceed lambda by up to the root of this.
inline constexpr double kWithinSpan = 1e-12;

// The conditions of optimality hold to this for active features, relative to lambda_max. Where rounding does not allow
// it any more the path ends: what is left is within the span of the active features.
inline constexpr double kLeastAccuracy = 2e-10;

struct LinearPath {
  // One response: signed coefficients. More: the norm of a feature's row.
  Path path;  // parked: at some time
  // Of each knot, in the order of its coefficients: the row of every feature, as long as there are responses.
  std::vector<std::vector<double>> rows;
};

// min 1/(2n) ||y - X b||^2 + lambda |b|_1 for one response: LARS with drops, by the rules of land's own path
// (docs/math.md, "The path"), of which it is a case: each feature is there twice, as it is and with its sign changed.
LinearPath solve_lasso_path(const Setting& setting, const Responses& responses);

// min 1/(2n) ||Y - X B||_F^2 + lambda sum_k ||B_k||_2 for several.
LinearPath solve_group_path(const Setting& setting, const Responses& responses);

}  // namespace land
