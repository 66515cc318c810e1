#include "land/methods/linear/unit_column.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "land/kernels/points/impute_mean.h"
#include "land/kernels/scoring/value_sums.h"

namespace land {
namespace {

constexpr std::size_t kLanes = 8;

// The sum of term(0) .. term(count - 1) in kLanes lanes.
template <class Term>
double sum_of(std::size_t count, const Term& term) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  }
  for (std::size_t lane = 0; i + lane < count; ++lane) lanes[lane] += term(i + lane);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace

void unit_column(const FeatureView& feature, std::span<double> out) {
  feature.copy_values(out);
  if (feature.header->missing > 0) impute_mean(out);
  const ValueRange range = range_of(out);
  // A power of two near the range, so that no square over- or underflows; multiplying by it is exact.
  const double power = std::ldexp(1.0, std::clamp(-std::ilogb(0.5 * range.high - 0.5 * range.low), -1000, 1000));
  const auto n = static_cast<double>(out.size());
  const double mean = scaled_sum(out, power) / n;
  const double variance = scaled_squares(out, power, mean) / n;
  scale_values(out, power, mean, 1.0 / std::sqrt(variance), out.data());
}

std::vector<std::vector<double>> unit_columns(Engine& engine, std::span<const FeatureId> ids) {
  std::vector<std::vector<double>> columns;
  for (const auto& block : engine.fetch(ids)) {
    unit_column(block->view(0), columns.emplace_back(static_cast<std::size_t>(engine.samples())));
  }
  return columns;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return sum_of(a.size(), [&](std::size_t i) { return a[i] * b[i]; });
}

double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

double distance(std::span<const double> a, std::span<const double> b) {
  return std::sqrt(sum_of(a.size(), [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); }));
}

void add_scaled(double factor, std::span<const double> column, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * column[i];
}

}  // namespace land
