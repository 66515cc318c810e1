// The whole pipeline on one page: read this first.
#pragma once

#include <span>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/results/result.h"

namespace land {

// Selects features of `table` that explain `target`. Fills everything in the result but `command` and `seconds.read`.
// Throws InputError on bad data (a NaN in a cell, sizes that do not match) and Interrupted when asked to stop.
// `engine` has the values of the table's features, with the missing ones treated as the options say; `pool` is for what
// is done here, between calls of the engine, which may use it, too. `scores`: of all features, if the scoring pass was
// made before (land/commands/score.h).
Result select(Engine& engine, WorkerPool& pool, const Table& table, const Target& target, const SelectOptions& options,
              const Context& context, const Scores* scores = nullptr);

// The same for several targets over the same samples, a result for each: that of a selection for it alone, to the bit,
// but for the time. One pass over the data scores them all, or as many at a time as memory allows.
std::vector<Result> select(Engine& engine, WorkerPool& pool, const Table& table, std::span<const Target> targets,
                           const SelectOptions& options, const Context& context);

}  // namespace land
