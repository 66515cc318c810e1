#include "land/kernels/sorted/sort_samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace land {

void sort_samples(std::span<const double> values, std::vector<std::int32_t>& order) {
  static thread_local std::vector<std::pair<double, std::int32_t>> pairs;
  pairs.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) pairs.emplace_back(values[i], static_cast<std::int32_t>(i));
  }
  std::sort(pairs.begin(), pairs.end());
  order.clear();
  for (const auto& [value, sample] : pairs) order.push_back(sample);
}

void sort_codes(const FeatureView& feature, double imputed, std::vector<std::int32_t>& order) {
  static thread_local std::vector<std::uint8_t> codes;
  codes.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_codes(codes);
  std::vector<std::pair<double, std::size_t>> levels;
  for (std::size_t v = 0; v < feature.levels.size(); ++v) {
    const double level = std::isnan(feature.levels[v]) ? imputed : feature.levels[v];
    if (!std::isnan(level)) levels.emplace_back(level, v);
  }
  std::sort(levels.begin(), levels.end());
  // Levels of one value share a place; the samples of levels without a value have none.
  std::vector<std::size_t> place_of(feature.levels.size(), levels.size());
  for (std::size_t p = 0; p < levels.size(); ++p) {
    const bool repeats = p > 0 && levels[p].first == levels[p - 1].first;
    place_of[levels[p].second] = repeats ? place_of[levels[p - 1].second] : p;
  }
  std::vector<std::size_t> begins(levels.size() + 2, 0);
  for (const std::uint8_t code : codes) ++begins[place_of[code] + 1];
  for (std::size_t p = 1; p < begins.size(); ++p) begins[p] += begins[p - 1];
  order.resize(begins[levels.size()]);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t place = place_of[codes[i]];
    if (place < levels.size()) order[begins[place]++] = static_cast<std::int32_t>(i);
  }
}

}  // namespace land
