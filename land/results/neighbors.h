// The features most redundant with one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace land {

struct Neighbor {
  std::int64_t index = 0;  // 0-based, counts features only
  std::string name;
  double redundancy = 0.0;  // R with the feature that was asked for
};

struct Neighbors {
  std::int64_t index = 0;  // of the feature that was asked for
  std::string name;
  std::vector<Neighbor> neighbors;    // in falling order of R, ties by index
  std::int64_t features_refined = 0;  // whose R was computed; a bound settled the others
};

}  // namespace land
