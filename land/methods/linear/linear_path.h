// The path of a linear lasso: its knots, and who has which coefficients at each.
#pragma once

#include <vector>

#include "land/methods/linear/responses.h"
#include "land/methods/method.h"
#include "land/path/path.h"

namespace land {

// A candidate whose part outside the span of the active features is smaller, as a mean square, is parked: it does not
// enter until one of them drops. Coefficients are signed here, and such features would have huge ones that cancel. Its
// correlation may exceed lambda, but by no more than the root of this.
inline constexpr double kWithinSpan = 1e-12;

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
