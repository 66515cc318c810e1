// The values of a feature, in double, transformed, whatever their encoding.
#pragma once

#include <vector>

#include "land/blocks/feature_block.h"
#include "land/options/options.h"

namespace land {

struct FilledValues {
  std::vector<double> values;  // NaN where there is none
  double imputed;              // what stands in for those that are missing; NaN if nothing does
};

// With the mean of the others where a value is missing, for Missing::kMean.
FilledValues filled_values(const FeatureView& feature, Missing missing, Transform transform);

}  // namespace land
