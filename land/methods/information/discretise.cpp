#include "land/methods/information/discretise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "land/kernels/points/impute_mean.h"
#include "land/kernels/scoring/value_sums.h"
#include "land/methods/information/cut_values.h"
#include "land/methods/information/quantile_cuts.h"

namespace land {
namespace {

constexpr std::size_t kMostLevels = 256;

// The distinct values, rising, if they are at most `most`.
bool few_distinct(std::span<const double> values, std::size_t most, std::vector<double>& distinct) {
  distinct.clear();
  double last = std::numeric_limits<double>::quiet_NaN();
  for (const double value : values) {
    if (value == last) continue;
    last = value;
    if (std::find(distinct.begin(), distinct.end(), value) != distinct.end()) continue;
    if (distinct.size() == most) return false;
    distinct.push_back(value);
  }
  std::sort(distinct.begin(), distinct.end());
  return true;
}

// What a value must not be below to be above mean + c sd: the next number. The mean is given where it stands in for
// missing values: rounded otherwise, it could be below itself.
void deviation_cuts(std::span<const double> values, std::optional<double> imputed, std::span<const double> deviations,
                    std::vector<double>& cuts) {
  const auto [low, high, missing] = range_of(values);
  const auto n = static_cast<double>(values.size());
  // A power of two, so that no square over- or underflows.
  const double power = std::ldexp(1.0, std::clamp(-std::ilogb(0.5 * high - 0.5 * low), -1000, 1000));
  const double mean = imputed ? *imputed * power : scaled_sum(values, power) / n;
  const double deviation = std::sqrt(scaled_squares(values, power, mean) / n);
  cuts.clear();
  for (const double c : deviations) {
    cuts.push_back(std::nextafter((mean + c * deviation) / power, std::numeric_limits<double>::infinity()));
  }
  std::sort(cuts.begin(), cuts.end());
}

// Renumbers levels so that each has a sample. Returns how many there are.
int without_gaps(std::span<std::uint8_t> levels) {
  std::array<std::uint8_t, kMostLevels> number{};
  for (const std::uint8_t level : levels) number[level] = 1;
  int count = 0;
  for (std::uint8_t& one : number) {
    if (one != 0) one = static_cast<std::uint8_t>(count++);
  }
  for (std::uint8_t& level : levels) level = number[level];
  return count;
}

// Rules 2 to 4, of values that are all there. Returns how many levels there are.
int levels_of_values(std::span<const double> values, std::optional<double> imputed, const Bins& bins,
                     std::span<std::uint8_t> levels) {
  static thread_local std::vector<double> cuts;
  const bool few = few_distinct(values, static_cast<std::size_t>(bins.most()), cuts);
  if (few) {
    if (!cuts.empty()) cuts.erase(cuts.begin());
  } else if (bins.cuts.empty()) {
    quantile_cuts(values, bins.count, cuts);
  } else {
    deviation_cuts(values, imputed, bins.cuts, cuts);
  }
  cut_values(values, cuts, levels);
  return few || bins.cuts.empty() ? static_cast<int>(cuts.size()) + 1 : without_gaps(levels);
}

// Some are missing: the others are put together, and the levels back in their places.
int levels_of_observed(std::span<const double> values, const Bins& bins, std::span<std::uint8_t> levels) {
  static thread_local std::vector<double> observed;
  static thread_local std::vector<std::uint8_t> found;
  observed.clear();
  for (const double value : values) {
    if (!std::isnan(value)) observed.push_back(value);
  }
  found.resize(observed.size());
  const int count = observed.empty() ? 0 : levels_of_values(observed, std::nullopt, bins, found);
  std::size_t next = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    levels[i] = std::isnan(values[i]) ? static_cast<std::uint8_t>(count) : found[next++];
  }
  return count + 1;
}

// A value that codes stand for.
struct CodedValue {
  double value = 0.0;
  std::int64_t samples = 0;
  std::uint8_t level = 0;
};

// Rule 3 of values with their numbers of samples, rising.
void cut_coded(std::int64_t bins, std::int64_t n, std::vector<CodedValue>& coded) {
  std::size_t at = 0;
  std::int64_t below = 0;
  std::vector<std::int64_t> boundaries;
  for (std::int64_t cut = 1; cut < bins; ++cut) {
    while ((below + coded[at].samples) * bins < cut * n) below += coded[at++].samples;
    boundaries.push_back(nearest_boundary(cut, bins, n, below, below + coded[at].samples));
  }
  boundaries.erase(std::unique(boundaries.begin(), boundaries.end()), boundaries.end());
  std::int64_t before = 0;
  for (CodedValue& one : coded) {
    const auto level = std::upper_bound(boundaries.begin(), boundaries.end(), before) - boundaries.begin();
    one.level = static_cast<std::uint8_t>(level);
    before += one.samples;
  }
}

}  // namespace

int Discretiser::from_codes(const FeatureView& feature, std::span<std::uint8_t> levels) const {
  feature.copy_codes(levels);
  if (feature.header->nominal) return without_gaps(levels);
  std::array<std::int64_t, kMostLevels> counts{};
  for (const std::uint8_t code : levels) ++counts[code];
  std::array<std::uint8_t, kMostLevels> level_of{};
  std::vector<CodedValue> coded;
  std::int64_t missing = 0;
  for (std::size_t code = 0; code < feature.levels.size(); ++code) {
    if (counts[code] == 0) continue;
    if (std::isnan(feature.levels[code])) {
      missing += counts[code];
    } else {
      coded.push_back({feature.levels[code], counts[code], 0});
    }
  }
  std::sort(coded.begin(), coded.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  if (std::ssize(coded) <= bins_.most()) {
    for (std::size_t v = 0; v < coded.size(); ++v) coded[v].level = static_cast<std::uint8_t>(v);
  } else {
    cut_coded(bins_.count, feature.samples - missing, coded);
  }
  const int count = coded.empty() ? 0 : coded.back().level + 1;
  for (std::size_t code = 0; code < feature.levels.size(); ++code) {
    if (counts[code] == 0) continue;
    const auto found = std::find_if(coded.begin(), coded.end(),
                                    [&](const CodedValue& one) { return one.value == feature.levels[code]; });
    level_of[code] = found == coded.end() ? static_cast<std::uint8_t>(count) : found->level;
  }
  for (std::uint8_t& code : levels) code = level_of[code];
  return count + (missing > 0 ? 1 : 0);
}

int Discretiser::levels_of(const FeatureView& feature, std::span<std::uint8_t> levels) const {
  const bool impute = missing_ == Missing::kMean && feature.header->missing > 0;
  if (feature.header->nominal || (is_coded(feature.header->encoding) && !impute && bins_.cuts.empty())) {
    return from_codes(feature, levels);
  }
  static thread_local std::vector<double> values;
  values.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_values(values);
  if (!impute && feature.header->missing > 0) return levels_of_observed(values, bins_, levels);
  const std::optional<double> imputed = impute ? std::optional(impute_mean(values)) : std::nullopt;
  return levels_of_values(values, imputed, bins_, levels);
}

std::uint32_t Discretiser::levels_of(const Target& target, std::vector<std::uint32_t>& levels) const {
  if (target.has_classes()) {
    levels.assign(target.labels.begin(), target.labels.end());
    return static_cast<std::uint32_t>(target.class_names.size());
  }
  std::vector<std::uint8_t> found(target.values.size());
  const int count = levels_of_values(target.values, std::nullopt, bins_, found);
  levels.assign(found.begin(), found.end());
  return static_cast<std::uint32_t>(count);
}

}  // namespace land
