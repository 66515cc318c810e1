// The features most redundant with one of them, over all features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/table.h"
#include "land/engine/engine.h"
#include "land/options/option_table.h"
#include "land/options/options.h"
#include "land/results/neighbors.h"

namespace land {

struct NeighborOptions {
  std::int64_t count = kNeighborsNamed;  // k
  KernelOptions kernel;
  std::int64_t block_size = 0;  // features per block; 0 chooses by cache size
};

// The k features with the largest R_kq, q = `feature` itself left out; all that are not constant if those are fewer.
// Exact: the scoring pass with q in the place of the target bounds every R from above, and R is computed best first
// until no bound can reach the k-th (docs/math.md, "Neighbours"). Throws InputError if the feature is constant,
// or explained by covariates.
// `engine` has the values of the table's features; `pool` is for what is done here, as in select().
Neighbors neighbors(Engine& engine, WorkerPool& pool, const Table& table, std::int64_t feature,
                    const NeighborOptions& options, const Context& context);

}  // namespace land
