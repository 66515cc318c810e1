#include "land/data/nominal_features.h"

#include <algorithm>

namespace land {

bool NominalFeatures::contains(std::int64_t feature) const {
  return std::binary_search(features.begin(), features.end(), feature);
}

void NominalFeatures::add(std::span<const std::int64_t> others) {
  features.insert(features.end(), others.begin(), others.end());
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

}  // namespace land
