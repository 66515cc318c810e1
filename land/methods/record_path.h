// What a method that has a path gives: its knots, and who is active at the end.
#pragma once

#include "land/path/pair_oracle.h"
#include "land/path/path.h"
#include "land/results/result.h"

namespace land {

// Fills in `path`, `selected` with relevances and redundancies, `dropped`, `lambda` and `stopped`.
void record_path(const Path& path, PairOracle& pairs, Result& result);

}  // namespace land
