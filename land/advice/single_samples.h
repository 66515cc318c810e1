// Selected features that follow one sample and nothing else.
#pragma once

#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/data/target.h"
#include "land/options/options.h"
#include "land/pairs/candidates.h"
#include "land/results/result.h"

namespace land {

// A warning for each sample that selected features depend on: without it their relevance falls below half. Only
// features whose variance is largely due to one sample are looked at, at the cost of a factor each.
std::vector<std::string> single_sample_warnings(const Table& table, const Target& target, const KernelOptions& options,
                                                const std::vector<SelectedFeature>& selected, Candidates& candidates);

}  // namespace land
