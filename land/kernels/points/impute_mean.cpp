#include "land/kernels/points/impute_mean.h"

#include <cmath>
#include <cstddef>

namespace land {

void impute_mean(std::span<double> values, std::span<const double> weights) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (std::isnan(values[v])) continue;
    const double weight = weights.empty() ? 1.0 : weights[v];
    sum += weight * values[v];
    total += weight;
  }
  for (double& value : values) value = std::isnan(value) ? sum / total : value;
}

}  // namespace land
