// What is refused before, or right after, features are scored.
#pragma once

#include "land/engine/engine.h"
#include "land/formats/table.h"
#include "land/target.h"

namespace land {

// Throws InputError unless table and target have the same samples, at least 4, and there is something to select from.
void check_sizes(const Table& table, const Target& target);

// Throws InputError for missing values that are not allowed. A dense matrix has refused them already, with their place.
void check_missing(const Table& table, Missing missing, const Scores& scores);

}  // namespace land
