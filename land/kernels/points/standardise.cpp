#include "land/kernels/points/standardise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "land/blocks/distinct_values.h"
#include "land/kernels/factors/dense_columns.h"
#include "land/kernels/points/impute_mean.h"
#include "land/kernels/points/rank_scores.h"
#include "land/kernels/scoring/value_sums.h"

namespace land {
namespace {

// The sum of term(0) .. term(count - 1), four at a time: quicker and more exact than one by one.
template <class Term>
double sum_of(std::size_t count, const Term& term) {
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    a += term(i);
    b += term(i + 1);
    c += term(i + 2);
    d += term(i + 3);
  }
  for (; i < count; ++i) a += term(i);
  return (a + b) + (c + d);
}

void centre_and_scale(std::span<const double> values, Points& points);

// The same where some values are missing: by those that are there.
void centre_and_scale_observed(std::span<const double> values, Points& points) {
  Points observed;
  std::vector<double> present;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const double weight = points.weights.empty() ? 1.0 : points.weights[v];
    if (std::isnan(values[v])) {
      points.missing.push_back(static_cast<std::int32_t>(v));
      points.missing_samples += static_cast<std::int64_t>(weight);
      continue;
    }
    present.push_back(values[v]);
    if (!points.weights.empty()) observed.weights.push_back(weight);
  }
  observed.samples = points.samples - points.missing_samples;
  centre_and_scale(present, observed);
  points.count = static_cast<std::int64_t>(values.size());
  points.u.assign(static_cast<std::size_t>(chunks_of(points.count) * kChunk), 0.0);
  std::size_t next = 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!std::isnan(values[v])) points.u[v] = observed.u[next++];
  }
}

// Centres and scales values that stand for `weights` samples each (all ones when empty) into points.u.
void centre_and_scale(std::span<const double> values, Points& points) {
  const auto [low, high, missing] = range_of(values);
  if (missing) {
    centre_and_scale_observed(values, points);
    return;
  }
  // A power of two near the range, so that no square over- or underflows; multiplying by it is exact.
  const double range = 0.5 * high - 0.5 * low;
  const double power = std::ldexp(1.0, std::clamp(-std::ilogb(range), -1000, 1000));
  const auto n = static_cast<double>(points.samples);
  double mean = 0.0;
  double variance = 0.0;
  if (points.weights.empty()) {
    mean = scaled_sum(values, power) / n;
    variance = scaled_squares(values, power, mean);
  } else {
    mean = sum_of(values.size(), [&](std::size_t v) { return points.weights[v] * (values[v] * power); }) / n;
    variance = sum_of(values.size(), [&](std::size_t v) {
      const double centred = values[v] * power - mean;
      return points.weights[v] * centred * centred;
    });
  }
  const double inverse = 1.0 / std::sqrt(variance / n);
  points.count = static_cast<std::int64_t>(values.size());
  points.u.resize(static_cast<std::size_t>(chunks_of(points.count) * kChunk));
  scale_values(values, power, mean, inverse, points.u.data());
  std::fill(points.u.begin() + values.size(), points.u.end(), 0.0);
}

Points from_codes(const FeatureView& feature, Transform transform, bool impute) {
  Points points;
  points.samples = feature.samples;
  static thread_local std::vector<std::uint8_t> codes;
  codes.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_codes(codes);
  points.codes.resize(codes.size());
  std::vector<int> number(feature.levels.size(), -1);  // of a level, in order of first sample
  std::vector<double> values;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint8_t code = codes[i];
    if (number[code] < 0) {
      number[code] = static_cast<int>(values.size());
      values.push_back(feature.levels[code]);
      points.weights.push_back(0.0);
    }
    points.codes[i] = static_cast<std::uint16_t>(number[code]);
    points.weights[static_cast<std::size_t>(number[code])] += 1.0;
  }
  if (transform == Transform::kRank) rank_scores(values, points.weights);
  if (impute) impute_mean(values, points.weights);
  centre_and_scale(values, points);
  return points;
}

Points from_values(std::span<const double> values, Repeats repeats) {
  Points points;
  points.samples = static_cast<std::int64_t>(values.size());
  if (repeats == Repeats::kKeep) {
    centre_and_scale(values, points);
    return points;
  }
  points.codes.reserve(values.size());
  DistinctValues<kMostDistinct> distinct(std::min<std::int64_t>(kMostDistinct, points.samples / 2));
  for (const double value : values) {
    const int code = distinct.code(value);
    if (code < 0) {
      points.codes = {};
      break;
    }
    points.codes.push_back(static_cast<std::uint16_t>(code));
  }
  if (points.distinct()) {
    points.weights.assign(distinct.values().size(), 0.0);
    for (const std::uint16_t code : points.codes) points.weights[code] += 1.0;
    centre_and_scale(distinct.values(), points);
  } else {
    centre_and_scale(values, points);
  }
  return points;
}

}  // namespace

Points standardise(std::vector<double> values, Transform transform) {
  if (transform == Transform::kRank) rank_scores(values);
  return from_values(values, Repeats::kMerge);
}

Points standardise_levels(const FeatureView& feature, std::span<const std::uint8_t> codes, Missing missing,
                          Transform transform, std::vector<std::uint8_t>& level_of) {
  std::array<std::int64_t, 256> counts{};
  for (const std::uint8_t code : codes) ++counts[code];
  counts[0] += feature.samples - std::ssize(codes);
  Points points;
  points.samples = feature.samples;
  std::vector<double> values;
  level_of.clear();
  for (std::size_t v = 0; v < feature.levels.size(); ++v) {
    if (counts[v] == 0) continue;
    level_of.push_back(static_cast<std::uint8_t>(v));
    values.push_back(feature.levels[v]);
    points.weights.push_back(static_cast<double>(counts[v]));
  }
  if (transform == Transform::kRank) rank_scores(values, points.weights);
  if (missing == Missing::kMean && feature.header->missing > 0) impute_mean(values, points.weights);
  centre_and_scale(values, points);
  return points;
}

Points standardise(const FeatureView& feature, Missing missing, Transform transform, Repeats repeats) {
  const bool impute = missing == Missing::kMean && feature.header->missing > 0;
  if (is_coded(feature.header->encoding)) return from_codes(feature, transform, impute);
  static thread_local std::vector<double> values;
  values.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_values(values);
  if (transform == Transform::kRank) rank_scores(values);
  if (impute) impute_mean(values);
  return from_values(values, repeats);
}

}  // namespace land
