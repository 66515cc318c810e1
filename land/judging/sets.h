// Sets of features: what a selection of fewer would have been, and how alike several are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/results/result.h"

namespace land {

// What asking for m features would have selected, m at most what was asked for. Of a path the active set at the first
// knot with m members where another would enter, in order of entry; all of it if the path ended before. Otherwise the
// first m. Indices as the result has them.
std::vector<std::int64_t> cut_to(const Result& result, std::int64_t m);

// The mean over all pairs of sets of their Jaccard index, what both have over what either has; 1 of two empty ones, and
// of fewer than two sets.
double stability(std::span<const std::vector<std::int64_t>> sets);

}  // namespace land
