#include "land/kernels/standardise.h"

#include <algorithm>
#include <cmath>

#include "land/blocks/distinct_values.h"
#include "land/kernels/dense_columns.h"

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

// Centres and scales values that stand for `weights` samples each (all ones when empty) into points.u.
void centre_and_scale(std::span<const double> values, Points& points) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // A power of two near the range, so that no square over- or underflows; multiplying by it is exact.
  const double range = 0.5 * *high - 0.5 * *low;
  const double power = std::ldexp(1.0, std::clamp(-std::ilogb(range), -1000, 1000));
  const auto n = static_cast<double>(points.samples);
  double mean = 0.0;
  double variance = 0.0;
  if (points.weights.empty()) {
    mean = sum_of(values.size(), [&](std::size_t v) { return values[v] * power; }) / n;
    variance = sum_of(values.size(), [&](std::size_t v) {
      const double centred = values[v] * power - mean;
      return centred * centred;
    });
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
  for (std::size_t v = 0; v < values.size(); ++v) points.u[v] = (values[v] * power - mean) * inverse;
  std::fill(points.u.begin() + values.size(), points.u.end(), 0.0);
}

Points from_codes(const FeatureView& feature) {
  Points points;
  points.samples = feature.samples;
  points.codes.resize(static_cast<std::size_t>(feature.samples));
  std::vector<int> number(feature.levels.size(), -1);  // of a level, in order of first sample
  std::vector<double> values;
  for (std::int64_t i = 0; i < feature.samples; ++i) {
    const std::uint8_t code = feature.codes()[i * feature.header->stride];
    if (number[code] < 0) {
      number[code] = static_cast<int>(values.size());
      values.push_back(feature.levels[code]);
      points.weights.push_back(0.0);
    }
    points.codes[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(number[code]);
    points.weights[static_cast<std::size_t>(number[code])] += 1.0;
  }
  centre_and_scale(values, points);
  return points;
}

}  // namespace

Points standardise(const std::vector<double>& values, Repeats repeats) {
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

Points standardise(const FeatureView& feature, Repeats repeats) {
  if (feature.header->encoding == Encoding::kCodes) return from_codes(feature);
  static thread_local std::vector<double> values;
  values.resize(static_cast<std::size_t>(feature.samples));
  const std::int64_t stride = feature.header->stride;
  if (feature.header->encoding == Encoding::kFloat32) {
    for (std::int64_t i = 0; i < feature.samples; ++i) {
      values[static_cast<std::size_t>(i)] = static_cast<double>(feature.float32()[i * stride]);
    }
  } else {
    for (std::int64_t i = 0; i < feature.samples; ++i)
      values[static_cast<std::size_t>(i)] = feature.float64()[i * stride];
  }
  return standardise(values, repeats);
}

}  // namespace land
