#include "land/kernels/points/impute_mean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace land {

double impute_mean(std::span<double> values, std::span<const double> weights) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));  // NaN is never larger
  // A sum of large values may overflow. What such a scale takes from small ones is below rounding.
  const double scale = largest < 0x1p960 ? 1.0 : 0x1p-63;
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (std::isnan(values[v])) continue;
    const double weight = weights.empty() ? 1.0 : weights[v];
    sum += weight * (values[v] * scale);
    total += weight;
  }
  const double mean = sum / total / scale;
  for (double& value : values) value = std::isnan(value) ? mean : value;
  return mean;
}

}  // namespace land
