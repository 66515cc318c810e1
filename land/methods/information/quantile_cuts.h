// Where values are cut into bins of about as many samples each: rule 3 of discretise.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace land {

// The place of cut `cut` of `bins` - 1 among n samples, in samples below it: `below` or `up_to`, those that are below a
// value and those that are not above it, of which the former is less than cut n / bins, and the latter not.
std::int64_t nearest_boundary(std::int64_t cut, std::int64_t bins, std::int64_t n, std::int64_t below,
                              std::int64_t up_to);

// The least values of all bins but the first, rising. At least two values differ, none is missing.
void quantile_cuts(std::span<const double> values, std::int64_t bins, std::vector<double>& cuts);

}  // namespace land
