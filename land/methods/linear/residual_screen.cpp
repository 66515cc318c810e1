#include "land/methods/linear/residual_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

constexpr std::size_t kMostReferences = 256;
constexpr double kRounding = 1e-14;  // of distances and sums, ample

}  // namespace

ResidualScreen::ResidualScreen(std::int64_t samples, std::vector<double> bound, std::vector<double> residual,
                               Evaluate evaluate)
    : samples_(static_cast<double>(samples)),
      evaluate_(std::move(evaluate)),
      bound_(std::move(bound)),
      reference_(bound_.size(), 0) {
  references_.push_back(std::move(residual));
}

std::vector<ResidualScreen::Reached> ResidualScreen::reaching(std::span<const double> residual, double level) {
  std::vector<double> least;  // a bound of so much, at each reference, may reach the level
  for (const std::vector<double>& reference : references_) {
    least.push_back(level - distance(residual, reference) / std::sqrt(samples_) * (1.0 + kRounding) - kRounding);
  }
  if (references_.size() >= kMostReferences) {
    references_.clear();
    least.assign(1, -std::numeric_limits<double>::infinity());
    std::fill(reference_.begin(), reference_.end(), 0);
  }
  std::vector<std::size_t> features;
  for (std::size_t k = 0; k < bound_.size(); ++k) {
    if (bound_[k] >= least[reference_[k]]) features.push_back(k);
  }
  references_.emplace_back(residual.begin(), residual.end());
  std::vector<double> fresh(features.size());
  evaluate_(features, residual, fresh);
  std::vector<Reached> reached;
  for (std::size_t t = 0; t < features.size(); ++t) {
    bound_[features[t]] = fresh[t];
    reference_[features[t]] = static_cast<std::uint32_t>(references_.size() - 1);
    if (fresh[t] >= level) reached.push_back({features[t], fresh[t]});
  }
  return reached;
}

}  // namespace land
