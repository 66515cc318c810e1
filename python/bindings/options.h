// Options by name, from Python. What is not given keeps the default of land/options/options.h.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "land/commands/neighbors.h"
#include "land/commands/score.h"
#include "land/formats/read_table.h"
#include "land/options/options.h"

namespace land::python {

// None counts as not given. Throws InputError for words that are none of the choices, as the options' own checks do.
SelectOptions select_options(const nanobind::dict& given, const Table& table);
ScoreOptions score_options(const nanobind::dict& given, const Table& table);
NeighborOptions neighbor_options(const nanobind::dict& given, const Table& table);
EvaluateOptions evaluate_options(const nanobind::dict& given, const Table& table);
StabilityOptions stability_options(const nanobind::dict& given, const Table& table);
ConvertOptions convert_options(const nanobind::dict& given, const Table& table);
// What the whole process may take, in bytes; 0 if it was not said.
std::int64_t memory_limit(const nanobind::dict& given);
ReadOptions read_options(const nanobind::dict& given);
// include and exclude alone.
FeatureChoice feature_choice(const nanobind::dict& given);

// What each method does, by name.
nanobind::dict methods_in_words();

// The options of a command that are keywords in Python: name, kind, choices, default and help, as the table has them.
nanobind::list options_of(const std::string& command);

// Every option that has a name in Python and a default, with that.
nanobind::dict defaults();

}  // namespace land::python
