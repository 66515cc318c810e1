// The features most redundant with one of them, over all features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/context.h"
#include "land/formats/table.h"
#include "land/options.h"

namespace land {

struct NeighborOptions {
  std::int64_t count = 10;  // k
  KernelOptions kernel;
  std::int64_t block_size = 0;  // features per block; 0 chooses by cache size
};

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

// The k features with the largest R_kq, q = `feature` itself left out; all that are not constant if those are fewer.
// Exact: the scoring pass with q in the place of the target bounds every R from above, and R is computed best first
// until no bound can reach the k-th (docs/math.md, "Neighbours"). Throws InputError if the feature is constant.
Neighbors neighbors(const Table& table, std::int64_t feature, const NeighborOptions& options, const Context& context);

}  // namespace land
