// Of kernels with factors: bounds from the leading axes of feature and target, and where these do not decide, the
// product of the factors. docs/math.md, "Permutations".
#pragma once

#include <memory>

#include "land/permuting/permutation_job.h"

namespace land {

std::shared_ptr<const PermutedScorer> make_factor_scorer(const PermutationJob& job);

}  // namespace land
