// Results as JSON. docs/output.md describes every field.
#pragma once

#include <span>
#include <string>

#include "land/results/evaluation.h"
#include "land/results/result.h"
#include "land/results/schema_version.h"
#include "land/results/stability.h"
#include "land/results/survey.h"

namespace land {

// Complete documents that end in a newline. Every number reads back as the same double; what is not finite is null.
// Names that are not UTF-8 have their bad bytes replaced by U+FFFD.
std::string to_json(const Result& result);
// Of several targets: one document with a list, in which each stands as it would alone.
std::string to_json(std::span<const Result> results);
std::string to_json(const Survey& survey);
std::string to_json(const Evaluation& evaluation);
std::string to_json(const Stability& stability);

}  // namespace land
