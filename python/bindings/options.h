// Options by name, from Python. What is not given keeps the default of land/options.h.
#pragma once

#include <nanobind/nanobind.h>

#include "land/formats/read_table.h"
#include "land/neighbors.h"
#include "land/options.h"
#include "land/score.h"

namespace land::python {

// None counts as not given. Throws InputError for words that are none of the choices, as the options' own checks do.
SelectOptions select_options(const nanobind::dict& given, const Table& table);
ScoreOptions score_options(const nanobind::dict& given, const Table& table);
NeighborOptions neighbor_options(const nanobind::dict& given, const Table& table);
ConvertOptions convert_options(const nanobind::dict& given, const Table& table);
// What the whole process may take, in bytes; 0 if it was not said.
std::int64_t memory_limit(const nanobind::dict& given);
ReadOptions read_options(const nanobind::dict& given);
// include and exclude alone.
FeatureChoice feature_choice(const nanobind::dict& given);

// Every option that has a name in Python, with its default.
nanobind::dict defaults();

}  // namespace land::python
