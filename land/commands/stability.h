// Stability selection: which features are selected again and again from halves of the samples.
#pragma once

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/results/stability.h"

namespace land {

// Selects from both halves of every pair, as from tables of their own (select_each): complementary halves, stratified
// by class, the same for the same seed. `engine` has the values of the table's features. Throws InputError for a half
// that leaves no target to explain. docs/inference/stability.md.
Stability find_stable(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                      const StabilityOptions& options, const Context& context);

}  // namespace land
