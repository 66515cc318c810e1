#include "land/methods/hsfs/weighted_hsic.h"

#include <algorithm>

namespace land {
namespace {

constexpr std::int64_t kFeatures = 8;  // that a thread takes at a time
constexpr std::int64_t kRows = 16;     // of pairs, likewise

std::int64_t shares(std::int64_t count, std::int64_t share) { return (count + share - 1) / share; }

}  // namespace

WeightedHsic::WeightedHsic(const Setting& setting, const SetPoints& points)
    : setting_(setting),
      points_(points),
      rate_(0.5 / (setting.options.kernel.sigma.front() * setting.options.kernel.sigma.front() *
                   static_cast<double>(std::min(setting.options.features, points.count())))) {
  distances_.assign(points.rows().size(), 0.0);
  terms_.assign(points.rows().size(), 0.0);
}

double WeightedHsic::sum(std::span<const double> weights) {
  const PairRows& rows = points_.rows();
  const std::span<double> distances(distances_.data(), distances_.size());
  std::fill(distances.begin(), distances.end(), 0.0);
  // The last rows, which are the longest, first.
  const std::int64_t parts = shares(rows.samples, kRows);
  setting_.pool.run(parts, [&](std::int64_t item, int) {
    setting_.context.check_stop();
    const std::int64_t first = (parts - 1 - item) * kRows;
    const std::int64_t last = std::min(first + kRows, rows.samples);
    for (std::int64_t k = 0; k < points_.count(); ++k) {
      const double weight = weights[static_cast<std::size_t>(k)];
      if (weight != 0.0) add_distances(rows, points_.feature(k), weight * weight, first, last, distances);
    }
  });
  return points_.hsic(sum_kernel(rows, distances, points_.target(), rate_, {terms_.data(), terms_.size()}));
}

void WeightedHsic::fill_slopes(std::span<const double> weights, bool all, std::span<double> slopes) const {
  setting_.pool.run(shares(points_.count(), kFeatures), [&](std::int64_t item, int) {
    setting_.context.check_stop();
    const std::int64_t last = std::min((item + 1) * kFeatures, points_.count());
    for (std::int64_t k = item * kFeatures; k < last; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (weights[at] == 0.0 && !all) continue;
      slopes[at] = -2.0 * rate_ * sum_distances(points_.rows(), {terms_.data(), terms_.size()}, points_.feature(k));
    }
  });
}

double WeightedHsic::evaluate(std::span<const double> weights, std::span<double> gradient) {
  const double hsic = sum(weights);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  fill_slopes(weights, false, gradient);
  for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] *= 2.0 * weights[k];
  return hsic;
}

std::vector<double> WeightedHsic::slopes(std::span<const double> weights) {
  std::vector<double> result(weights.size());
  sum(weights);
  fill_slopes(weights, true, result);
  return result;
}

}  // namespace land
