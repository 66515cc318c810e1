// Products of factors that another instance computed, used where they pass a test.
#pragma once

#include <span>
#include <vector>

#include "land/pairs/candidate.h"
#include "land/pairs/holdings.h"
#include "land/pairs/kept_products.h"

namespace land {

// Fills in `out` for the pairs that are claimed and pass the test; returns the others. Makes the factors of all claimed
// pairs, some at a time.
std::vector<CandidatePair> claim_products(std::span<const CandidatePair> pairs, const KeptProducts& claims,
                                          Holdings& holdings, std::span<double> out);

}  // namespace land
