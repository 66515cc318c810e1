// What a user should know about a target before believing a selection.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/data/target.h"

namespace land {

// The sample that is furthest from the mean.
struct Outlier {
  std::int64_t sample = 0;
  double deviations = 0.0;  // its distance, in standard deviations
  double share = 0.0;       // of the variance that is due to it
};
// Of finite values that are not all equal; NaN is left out.
Outlier find_outlier(std::span<const double> values);

// How messages name a sample: 'TCGA-05', or "sample 7 (counted from 0)" where there are no ids.
std::string sample_title(const Table& table, std::int64_t sample);

// Classes of one member, with what they may be a slip of; heavy tails of numbers, with the sample furthest out.
std::vector<std::string> target_warnings(const Target& target, const Table& table);

}  // namespace land
