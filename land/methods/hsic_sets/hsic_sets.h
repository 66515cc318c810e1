// fohsic and bahsic (Song et al., Feature Selection via Dependence Maximization, 2012): HSIC of a set of features with
// the target, greedily. set_points.h has the kernel of a set.
//
// HSIC is <HKH, HLH> / n^2, the biased estimate, as everywhere in LAND. It is not normalised: dividing by the norm of
// the set's kernel would choose other features than theirs.
//
// Forward: the feature is added with which HSIC of the set is largest; its score is that HSIC. n^2 / 2 exponentials for
// each feature and each step. Backward: from all features, a tenth of those left is removed at a time (at least one),
// those without which HSIC is largest, until none is left; the last removed are the best. The score is HSIC of the set
// that a feature was removed from: all removals take 10 d n^2 / 2 exponentials. HSIC within 1e-12 of the best,
// relatively, is a tie: the feature of the lowest index is added, or stays.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_forward_hsic();
std::unique_ptr<Method> make_backward_hsic();

}  // namespace land
