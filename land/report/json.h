// Results as JSON. docs/output.md describes every field.
#pragma once

#include <string>

#include "land/results/result.h"
#include "land/results/survey.h"

namespace land {

// Raised whenever a field changes its meaning or goes away; new fields do not raise it.
inline constexpr int kSchemaVersion = 1;

// Complete documents that end in a newline. Every number reads back as the same double; what is not finite is null.
// Names that are not UTF-8 have their bad bytes replaced by U+FFFD.
std::string to_json(const Result& result);
std::string to_json(const Survey& survey);

}  // namespace land
