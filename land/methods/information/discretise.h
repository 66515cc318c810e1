// Features and targets as levels: the one rule of all methods that count.
//
// 1. A nominal feature keeps its categories, a target of classes its classes.
// 2. What has at most as many distinct values as bins keeps them: a level each.
// 3. Else, by a number of bins B: equal frequencies. Cut j of B - 1 lies between two neighbouring distinct values,
// where
//    the number of samples below is nearest to j n / B (the lower place if two are as near); cuts that fall together
//    are one. Equal values are never parted, and what is not constant has at least two levels.
// 4. Or, by cut points in standard deviations: a level is how many of mean + c sd are below the value (population
//    standard deviation). Levels that no sample has are left out, so one may be all that is left.
// 5. Missing values are a level of their own; rules 2 to 4 look at the others, n is their number. With
//    `missing` mean they are the mean of the others instead.
//
// Levels are numbered in rising order of the values, the missing one last. They depend on the values alone, not on how
// these are stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/options/options.h"

namespace land {

class Discretiser {
 public:
  Discretiser(const Bins& bins, Missing missing) : bins_(bins), missing_(missing) {}

  // The level of every sample. Returns how many levels there are: 1 to 256. From any thread.
  int levels_of(const FeatureView& feature, std::span<std::uint8_t> levels) const;

  // Of a target: its number of levels may be any.
  std::uint32_t levels_of(const Target& target, std::vector<std::uint32_t>& levels) const;

 private:
  int from_codes(const FeatureView& feature, std::span<std::uint8_t> levels) const;

  const Bins& bins_;
  Missing missing_;
};

}  // namespace land
