// A feature as a column: centred, unit population deviation, in double. The mean stands in for missing values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/feature_id.h"
#include "land/blocks/feature_block.h"
#include "land/engine/engine.h"

namespace land {

// Of a feature that is not constant. The values alone decide the bits, not how they are encoded.
void unit_column(const FeatureView& feature, std::span<double> out);

// One column for each id, in the order of `ids`.
std::vector<std::vector<double>> unit_columns(Engine& engine, std::span<const FeatureId> ids);

// In eight lanes, in an order that is fixed.
double dot(std::span<const double> a, std::span<const double> b);

// sqrt of the sum of squares, and of squares of differences.
double norm(std::span<const double> a);
double distance(std::span<const double> a, std::span<const double> b);

// to += factor * column.
void add_scaled(double factor, std::span<const double> column, std::span<double> to);

}  // namespace land
