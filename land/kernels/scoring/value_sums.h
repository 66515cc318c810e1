// Passes over the values of one feature, in double: what standardising takes. SIMD behind this header; sums run in
// sixteen lanes on every instruction set, so that they are the same to the bit on all.
#pragma once

#include <cstdint>
#include <span>

namespace land {

struct ValueRange {
  double low = 0.0;
  double high = 0.0;
  bool missing = false;  // some value is NaN; low and high then mean nothing
};

// Of at least one value.
ValueRange range_of(std::span<const double> values);

// The sum of power * value, and that of (power * value - mean)^2.
double scaled_sum(std::span<const double> values, double power);
double scaled_squares(std::span<const double> values, double power, double mean);

// to[i] = (power * values[i] - mean) * inverse.
void scale_values(std::span<const double> values, double power, double mean, double inverse, double* to);

}  // namespace land
