// What selections, and methods that make them, are worth: docs/evaluate.md.
#pragma once

#include <span>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/judging/given_selection.h"
#include "land/options/options.h"
#include "land/results/evaluation.h"

namespace land {

// Judges selections by all samples of the table. `engine` has the values of its features. Throws InputError for a
// selection of features that the table does not have; one from other values is judged with a warning.
Evaluation judge(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                 std::span<const GivenSelection> selections, const SelectOptions& options, const Context& context);

// Judges methods: selects by each from the training part of every split, as from a table of its own (select_each), so
// that nothing of the held-out samples has a part in it, and judges by the held-out part. Throws InputError for a
// method that there is not, and for folds that leave no target to explain.
Evaluation cross_validate(const Table& table, const Target& target, const EvaluateOptions& options,
                          const Context& context);

}  // namespace land
