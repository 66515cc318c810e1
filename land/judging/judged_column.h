// A feature over the samples it is judged on.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"

namespace land {

struct JudgedColumn {
  std::vector<double> values;  // NaN where one is missing
  bool nominal = false;        // categories without an order
};

inline JudgedColumn judged_column(const FeatureView& feature) {
  JudgedColumn column{std::vector<double>(static_cast<std::size_t>(feature.samples)), feature.header->nominal};
  feature.copy_values(column.values);
  return column;
}

inline JudgedColumn part_of(const JudgedColumn& column, std::span<const std::int64_t> samples) {
  JudgedColumn part{{}, column.nominal};
  part.values.reserve(samples.size());
  for (const std::int64_t i : samples) part.values.push_back(column.values[static_cast<std::size_t>(i)]);
  return part;
}

// Whether it has fewer than two different values.
inline bool is_constant(std::span<const double> values) {
  double first = std::nan("");
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (std::isnan(first)) first = value;
    if (value != first) return false;
  }
  return true;
}

}  // namespace land
