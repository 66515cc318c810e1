// What a method that has no path of kernels gives: features in the order in which it chose them.
#pragma once

#include <span>

#include "land/base/feature_id.h"
#include "land/path/pair_oracle.h"
#include "land/results/result.h"

namespace land {

struct Chosen {
  FeatureId feature = 0;
  double score = 0.0;  // what it was chosen by
};

// Fills in `selected`, relevances included.
void record_chosen(std::span<const Chosen> chosen, PairOracle& pairs, Result& result);

}  // namespace land
