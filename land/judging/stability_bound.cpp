#include "land/judging/stability_bound.h"

#include <algorithm>
#include <cmath>

namespace land {

std::optional<double> stability_bound(std::int64_t count, std::int64_t pairs, double selected, std::int64_t features) {
  const auto b = static_cast<double>(pairs);
  const double step = 1.0 / (2.0 * b);
  const double tau = static_cast<double>(count) * step;
  const double share = selected / static_cast<double>(features);  // theta
  if (tau > 1.0 || share * share * 3.0 > 1.0) return std::nullopt;
  if (tau <= std::min(0.5 + share * share, 0.5 + step + 0.75 * share * share)) return std::nullopt;
  const bool low = 4 * count <= 6 * pairs;  // tau <= 3/4
  const double room = 2.0 * tau - 1.0 - step;
  if (low && room <= 0.0) return std::nullopt;
  const double constant = low ? 1.0 / (2.0 * room) : 4.0 * (1.0 - tau + step) / (1.0 + 1.0 / b);
  return constant * share * selected;
}

std::optional<StabilityThreshold> choose_threshold(std::int64_t pairs, double selected, std::int64_t features,
                                                   double max_false) {
  // 0.6 of 2 pairs, rounded up.
  for (std::int64_t count = (6 * pairs + 4) / 5; count <= 2 * pairs; ++count) {
    const std::optional<double> bound = stability_bound(count, pairs, selected, features);
    if (bound && *bound <= max_false) return StabilityThreshold{count, *bound};
  }
  return std::nullopt;
}

}  // namespace land
