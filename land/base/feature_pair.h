// Two features in whichever order, as the key of a table.
#pragma once

#include <algorithm>
#include <cstdint>

#include "land/base/checksum.h"
#include "land/base/feature_id.h"

namespace land {

struct FeaturePair {
  FeaturePair(FeatureId k, FeatureId i) : low(std::min(k, i)), high(std::max(k, i)) {}
  bool operator==(const FeaturePair&) const = default;

  FeatureId low;
  FeatureId high;
};

struct FeaturePairHash {
  std::size_t operator()(const FeaturePair& pair) const {
    return scatter(mix(static_cast<std::uint64_t>(pair.low)) + static_cast<std::uint64_t>(pair.high));
  }
};

}  // namespace land
