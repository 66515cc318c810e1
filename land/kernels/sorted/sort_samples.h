// The samples of a feature by their values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"

namespace land {

// The numbers of the samples that have a value, by value, equal ones in their own order.
void sort_samples(std::span<const double> values, std::vector<std::int32_t>& order);

// The same of a coded feature, whose missing values, if they are to have one, have `imputed`: O(n).
void sort_codes(const FeatureView& feature, double imputed, std::vector<std::int32_t>& order);

}  // namespace land
