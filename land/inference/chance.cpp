#include "land/inference/chance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace land {
namespace {

// Relevances that are equal but for rounding count as equal.
constexpr double kTied = 1e-9;

}  // namespace

Chance::Chance(std::vector<double> largest, std::vector<double> values, std::vector<double> observed,
               double largest_observed, double floor, double most_expected)
    : largest_(std::move(largest)),
      sorted_largest_(largest_),
      values_(std::move(values)),
      observed_(std::move(observed)),
      largest_observed_(largest_observed),
      floor_(floor),
      most_expected_(most_expected) {
  std::sort(sorted_largest_.begin(), sorted_largest_.end());
  std::sort(values_.begin(), values_.end());
  std::sort(observed_.begin(), observed_.end());
  double least = std::numeric_limits<double>::infinity();
  for (const double relevance : observed_) {
    if (const auto chance = expected(relevance)) {
      least = std::min({least, 1.0, *chance / static_cast<double>(at_or_above(observed_, relevance))});
    }
    q_.push_back(least);
  }
}

std::int64_t Chance::at_or_above(const std::vector<double>& sorted, double relevance) const {
  return sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), relevance * (1.0 - kTied));
}

double Chance::p_fwer(double relevance) const {
  return static_cast<double>(1 + at_or_above(sorted_largest_, relevance)) / static_cast<double>(permutations() + 1);
}

std::optional<double> Chance::expected(double relevance) const {
  if (relevance * (1.0 - kTied) < floor_) return std::nullopt;
  const std::int64_t count = at_or_above(observed_, relevance) + at_or_above(values_, relevance);
  const double mean = static_cast<double>(count) / static_cast<double>(permutations() + 1);
  return mean > most_expected_ ? std::nullopt : std::optional(mean);
}

std::optional<double> Chance::q(double relevance) const {
  if (!expected(relevance)) return std::nullopt;
  const auto found = std::lower_bound(observed_.begin(), observed_.end(), relevance * (1.0 - kTied));
  if (found == observed_.end()) return std::nullopt;
  const double least = q_[static_cast<std::size_t>(found - observed_.begin())];
  return std::isinf(least) ? std::nullopt : std::optional(least);
}

// What ties with it is not above it.
double Chance::above_all() const { return sorted_largest_.back() * (1.0 + kTied); }

double Chance::threshold(double alpha) const {
  const auto place =
      static_cast<std::int64_t>(std::ceil((1.0 - alpha) * static_cast<double>(permutations() + 1) - 1e-9));
  if (place < 1) return 0.0;
  if (place > permutations()) return std::numeric_limits<double>::infinity();
  // What ties with it is not above it.
  return sorted_largest_[static_cast<std::size_t>(place - 1)] * (1.0 + kTied);
}

}  // namespace land
