// Looks at a table before anything is computed from it: what `land info` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/results/survey.h"

namespace land {

// One pass over the table. Memory: a strip of 64 features in double.
Survey survey(const Table& table, const Context& context);
Survey::TargetSurvey survey(const Target& target);

}  // namespace land
