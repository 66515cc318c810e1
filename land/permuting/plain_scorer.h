// Every permuted relevance by itself: for kernels without factors, and for full matrices.
#pragma once

#include <memory>

#include "land/permuting/permutation_job.h"

namespace land {

std::shared_ptr<const PermutedScorer> make_plain_scorer(const PermutationJob& job);

}  // namespace land
