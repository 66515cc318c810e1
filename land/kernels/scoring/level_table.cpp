#include "land/kernels/scoring/level_table.h"

#include <cmath>

namespace land {

void set_contrasts(std::span<const std::uint32_t> counts, std::size_t stride, std::span<const std::int64_t> members,
                   std::span<const double> roots, double samples, LevelTable& table) {
  const std::size_t levels = table.levels();
  table.shares.assign(levels, 0.0);
  for (std::size_t c = 0; c < members.size(); ++c) {
    for (std::size_t v = 0; v < levels; ++v) table.shares[v] += counts[c * stride + v];
  }
  const double inverse = 1.0 / samples;
  for (double& share : table.shares) share *= inverse;
  table.contrast_count = roots.size();
  table.contrasts.resize(table.contrast_count * levels);
  for (std::size_t c = 0; c < table.contrast_count; ++c) {
    const double root = roots[c];
    const double each = root / static_cast<double>(members[c]);
    for (std::size_t v = 0; v < levels; ++v) {
      table.contrasts[c * levels + v] = counts[c * stride + v] * each - root * table.shares[v];
    }
  }
}

void tame(LevelTable& table) {
  double largest = 0.0;
  for (const double value : table.values) largest = std::fmax(largest, std::abs(value));
  constexpr double kFar = 1e70;
  if (largest < kFar && largest > 1.0 / kFar) return;
  const int power = -std::ilogb(largest);
  for (double& value : table.values) value = std::ldexp(value, power);
}

}  // namespace land
