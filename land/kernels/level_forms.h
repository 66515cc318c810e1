// What scoring needs of a feature with few levels: quadratic forms of its kernel, in double. docs/math.md, (6).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace land {

// The levels of a feature: their values, shares of the samples, and the target's contrasts, which add up to zero.
struct LevelTable {
  std::vector<double> values;
  std::vector<double> shares;
  std::vector<double> contrasts;  // [contrast][level]
  std::size_t contrast_count = 0;
  bool last_is_missing = false;  // the last level stands for missing values: its kernel with the others is 0
  std::size_t levels() const { return values.size(); }
};

struct LevelForms {
  double numerator = 0.0;  // sum over contrasts of contrast' K contrast
  double squares = 0.0;    // ||HKH||_F^2 / n^2
};

// The kernel of two levels is exp(-(a - b)^2 / (2 sigma^2 variance)).
LevelForms level_forms(LevelTable& table, double sigma);

// The same for a feature most of whose samples stand at one level, which is not in the table: `values` are distances to
// it, and the kernel is taken relative to it, so that nothing of the order of all samples cancels.
LevelForms sparse_forms(const LevelTable& table, double sigma);

}  // namespace land
