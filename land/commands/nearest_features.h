// To each of several features the ones most redundant with it, in one pass over the data.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "land/base/context.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/pairs/candidates.h"

namespace land {

using NearestFeatures = std::vector<std::pair<FeatureId, double>>;  // with R, in falling order, ties by index

// What land::neighbors gives for each of `features`, which are not constant: exact, by bounds of the scoring pass with
// the feature in the place of the target. One pass over all features while the factors of `features` fit in 256 MB
// together, else several. Cost: a scoring pass for each of them.
std::vector<NearestFeatures> nearest_features(std::span<const FeatureId> features, std::int64_t count, Engine& engine,
                                              Candidates& candidates, const KernelOptions& kernel,
                                              const Context& context);

}  // namespace land
