// To each of several features the ones most redundant with it, in one pass over the data.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "land/engine/candidates.h"
#include "land/engine/engine.h"
#include "land/options.h"

namespace land {

using NearestFeatures = std::vector<std::pair<FeatureId, double>>;  // with R, in falling order, ties by index

// What land::neighbors gives for each of `features`, which are not constant: exact, by bounds of the scoring pass with
// the feature in the place of the target. One pass over all features while the factors of `features` fit in 256 MB
// together, else several. Cost: a scoring pass for each of them.
std::vector<NearestFeatures> nearest_features(std::span<const FeatureId> features, std::int64_t count, Engine& engine,
                                              WorkerPool& pool, Candidates& candidates, const KernelOptions& kernel);

}  // namespace land
