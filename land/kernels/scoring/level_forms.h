// What scoring needs of a feature with few levels: quadratic forms of its kernel, in double. docs/math.md, (6).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "land/kernels/scoring/level_table.h"

namespace land {

struct LevelForms {
  double numerator = 0.0;  // sum over contrasts of contrast' K contrast
  double squares = 0.0;    // ||HKH||_F^2 / n^2
  // Of several widths: ||HKH||_F / n of the kernel of each. K is their sum, each divided by that.
  std::vector<double> norms{};
};

// The kernel of two levels is exp(-(a - b)^2 / (2 sigma^2 variance)), for each width sigma.
LevelForms level_forms(LevelTable& table, std::span<const double> sigma);

// The same for a feature most of whose samples stand at one level, which is not in the table: `values` are distances to
// it, and the kernel is taken relative to it, so that nothing of the order of all samples cancels.
LevelForms sparse_forms(const LevelTable& table, std::span<const double> sigma);

// The same for counts: the levels are 1, 2, ... up to kFewCounts, level 0 is zero, and there is one contrast.
inline constexpr std::size_t kFewCounts = 8;
LevelForms few_counts_forms(std::span<const double> shares, std::span<const double> contrast, double sigma);

}  // namespace land
