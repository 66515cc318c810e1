// The features of the largest values, of which only bounds are known until they are evaluated.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "land/path/pair_oracle.h"

namespace land {

// Fills `out` with the values of these features.
using EvaluateFeatures = std::function<void(std::span<const FeatureId> features, std::span<double> out)>;

// The `wanted` features of the largest values, in falling order, ties by index: `bounded` has upper bounds of the
// values, which are evaluated best first until no bound can reach the last of them. `refined`: how many were evaluated.
std::vector<std::pair<FeatureId, double>> best_of(std::vector<std::pair<FeatureId, double>> bounded,
                                                  std::int64_t wanted, const EvaluateFeatures& evaluate,
                                                  std::int64_t& refined);

// (feature, f) in falling order of f, ties by index. Refines best first until no bound can reach the m-th; `refined`:
// how many that took. Negative bounds are left out.
std::vector<std::pair<FeatureId, double>> most_relevant(std::span<const double> bounds, std::int64_t features,
                                                        PairOracle& oracle, std::int64_t& refined);

}  // namespace land
