#include "land/kernels/points/rank_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace land {
namespace {

// Of the normal distribution at p < 1/2, by Newton's method on the logarithm of its distribution function. That is
// concave: the first step ends below the root, and all others rise towards it.
double lower_quantile(double p) {
  double x = 0.0;
  for (int step = 0; step < 100; ++step) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double change = std::log(below / p) * below / density;
    x -= change;
    if (std::abs(change) <= 1e-9 * std::abs(x)) break;  // the next would be its square
  }
  return x;
}

// At twice_rank / (2 (n + 1)).
double quantile(double twice_rank, double n) {
  const double mirrored = 2.0 * (n + 1.0) - twice_rank;
  if (twice_rank == mirrored) return 0.0;
  return twice_rank < mirrored ? lower_quantile(0.5 * twice_rank / (n + 1.0))
                               : -lower_quantile(0.5 * mirrored / (n + 1.0));
}

// The quantiles of all ranks of so many samples: nearly every feature has as many.
class Quantiles {
 public:
  double at(double twice_rank, double n) {
    if (n != samples_) {
      samples_ = n;
      known_.assign(static_cast<std::size_t>(2.0 * n) + 1, std::nan(""));
    }
    double& known = known_[static_cast<std::size_t>(twice_rank)];
    if (std::isnan(known)) known = quantile(twice_rank, n);
    return known;
  }

 private:
  double samples_ = 0.0;
  std::vector<double> known_;
};

}  // namespace

void rank_scores(std::span<double> values, std::span<const double> weights) {
  static thread_local std::vector<std::pair<double, std::size_t>> order;
  static thread_local Quantiles quantiles;
  const auto weight = [&](std::size_t v) { return weights.empty() ? 1.0 : weights[v]; };
  order.clear();
  double samples = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (std::isnan(values[v]) || weight(v) == 0.0) continue;
    order.emplace_back(values[v], v);
    samples += weight(v);
  }
  std::sort(order.begin(), order.end());
  double before = 0.0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double tied = 0.0;
    while (last < order.size() && order[last].first == order[first].first) tied += weight(order[last++].second);
    const double score = quantiles.at(2.0 * before + tied + 1.0, samples);
    for (; first < last; ++first) values[order[first].second] = score;
    before += tied;
  }
}

}  // namespace land
