// What is counted of a feature with few levels before its forms are taken: see level_forms.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace land {

inline constexpr std::size_t kMostLevels = 256;  // of features in codes

// The levels of a feature: their values, shares of the samples, and the target's contrasts, which add up to zero.
struct LevelTable {
  std::vector<double> values;
  std::vector<double> shares;
  std::vector<double> contrasts;  // [contrast][level]
  std::size_t contrast_count = 0;
  bool last_is_missing = false;  // the last level stands for missing values: its kernel with the others is 0
  std::size_t levels() const { return values.size(); }
};

// Shares and contrasts from the counts of levels by class: counts[class * stride + level]. A contrast is
// root (share of the class at the level - share of all samples), for as many classes as there are roots.
void set_contrasts(std::span<const std::uint32_t> counts, std::size_t stride, std::span<const std::int64_t> members,
                   std::span<const double> roots, double samples, LevelTable& table);

// Values of any size, brought near 1 by a power of two, so that no square over- or underflows.
void tame(LevelTable& table);

}  // namespace land
