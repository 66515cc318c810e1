// hsfs (Masaeli, Fung and Dy, From Transformation-Based Dimensionality Reduction to Feature Selection, 2010): the
// features of the largest weights w that maximise HSIC(w) - lambda sum w over 0 <= w <= 1, a relaxation of choosing a
// set. weighted_hsic.h has HSIC(w).
//
// The paper leaves open: how lambda is found, and where to start. lambda is the largest, found by bisection from equal
// weights, for which m weights are above 1e-3 of the largest. With it the search starts from equal weights, from
// weights in proportion to f, and from three draws of a fixed seed, all of them with sum w^2 = m. Of those that end
// with m such weights the best objective wins, the first of equal ones. HSIC(w) is not concave: it is the best optimum
// found, not a proved one.
//
// HSIC(w) has most weights at zero by itself. Where m asks for more features than have weight, those follow to which a
// first bit of weight would do most good, or least harm; their score is 0.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_hsfs();

}  // namespace land
