// The whole pipeline on one page: read this first.
#pragma once

#include "land/context.h"
#include "land/engine/engine.h"
#include "land/formats/table.h"
#include "land/options.h"
#include "land/report/result.h"
#include "land/target.h"

namespace land {

// Selects features of `table` that explain `target`. Fills everything in the result but `command` and `seconds.read`.
// Throws InputError on bad data (a NaN in a cell, sizes that do not match) and Interrupted when asked to stop.
// `scores`: of all features, if the scoring pass was made before (land/score.h).
Result select(const Table& table, const Target& target, const SelectOptions& options, const Context& context,
              const Scores* scores = nullptr);

}  // namespace land
