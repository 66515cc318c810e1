#include "land/kernels/factors/linear_factor.h"

#include <algorithm>
#include <cmath>

namespace land {

Factor linear_factor(const Points& points, const KernelOptions& options) {
  const bool has_level = options.missing == Missing::kLevel && points.missing_samples > 0;
  Factor factor;
  factor.samples = points.samples;
  factor.columns = has_level ? 2 : 1;
  factor.stored.reshape(factor.samples, factor.columns);
  std::fill(factor.stored.values.begin(), factor.stored.values.end(), 0.0);
  double square = 0.0;
  for (std::int64_t i = 0; i < factor.samples; ++i) {
    const double u = points.of_sample(i);
    factor.stored.at(i, 0) = u;
    square += u * u;
  }
  factor.norm = square;
  if (has_level) {
    // Orthogonal to the first: that adds up to zero over the observed samples, and is zero at the others.
    const auto missing = static_cast<double>(points.missing_samples);
    const double share = missing / static_cast<double>(points.samples);
    for (std::int64_t i = 0; i < factor.samples; ++i)
      factor.stored.at(i, 1) = points.is_missing(i) ? 1.0 - share : -share;
    factor.norm = std::hypot(square, missing * (1.0 - share));
  }
  factor.scale = kernel_scale(options.measure, factor.norm, static_cast<double>(factor.samples));
  return factor;
}

}  // namespace land
