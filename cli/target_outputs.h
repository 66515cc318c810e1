// Where the results of several targets go: one document, or a file for each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/output.h"
#include "land/results/result.h"

namespace land::cli {

// Whether the name of an output stands for a file for each target: "{target}" in it is the target's name.
bool is_for_each_target(const std::string& output);

// The names of the files, one for each target; what no file name may hold becomes "_". Throws InputError if two are
// the same.
std::vector<std::string> files_of_targets(const std::string& output, std::span<const std::string> targets);

// What goes into a file, or to standard output.
std::string to_text(const Result& result, OutputFormat format);
// All of them as one document.
std::string to_text(std::span<const Result> results, OutputFormat format);

}  // namespace land::cli
