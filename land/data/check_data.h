// What is refused before features are scored.
#pragma once

#include <cstdint>

#include "land/data/table.h"
#include "land/data/target.h"

namespace land {

inline constexpr std::int64_t kFewestSamples = 4;

// Throws InputError unless there are at least 4 samples and something to select from.
void check_samples(const Table& table);

// Throws InputError unless table and target have the same samples, at least 4, and there is something to select from.
void check_sizes(const Table& table, const Target& target);

}  // namespace land
