// The m most relevant features by f alone, refined in double: what the paper compares with.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "land/path/redundancy.h"

namespace land {

// (feature, f) in falling order of f, ties by index. Refines best first until no bound can reach the m-th; `refined`:
// how many that took. Negative bounds are left out.
std::vector<std::pair<FeatureId, double>> maximum_relevance(std::span<const double> bounds, std::int64_t features,
                                                            Redundancy& redundancy, std::int64_t& refined);

}  // namespace land
