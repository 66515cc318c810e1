// The conditions of optimality of a linear lasso, at every knot and for every feature, apart from the solver.
#pragma once

#include "land/methods/linear/linear_path.h"
#include "land/methods/method.h"
#include "land/results/result.h"

namespace land {

// With R the residual at a knot, made anew of the coefficients, and c_k = x_k'R / n:
//   k in A:      || c_k - lambda B_k / ||B_k|| || <= 1e-9 lambda_max   (||c_k|| = lambda where B_k = 0),
//   k not in A:  ||c_k|| <= lambda + 1e-9 lambda_max.
// All features are visited once. Each is evaluated at some knots; at those between, c_k has changed by at most what the
// residual has moved since, which is enough.
CertificateSummary certify_linear(const LinearPath& path, const Setting& setting, const Responses& responses);

}  // namespace land
