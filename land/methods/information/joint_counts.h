// The table of counts of a feature and a variable that many features are counted against.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "land/base/aligned.h"
#include "land/methods/information/level_store.h"

namespace land {

// Row by row of the variable's levels: cells[level stride + l] samples are at this level, and the feature at l. One is
// used again and again by a thread.
struct JointCounts {
  std::vector<std::uint32_t> cells;
  std::size_t stride = 0;
  std::size_t levels = 0;             // of the feature
  std::vector<std::uint8_t> bytes{};  // room to work in

  const std::uint32_t* row(std::size_t level) const { return cells.data() + level * stride; }
};

// Something with a level for every sample, ready to be counted against: the target, a feature, or both at once.
class Counted {
 public:
  // Levels 0 .. count - 1. `planes`: the numbers of planes that features have, added up.
  Counted(std::vector<std::uint32_t> levels, std::uint32_t count, unsigned planes = 15);

  std::uint32_t levels() const { return count_; }
  std::int64_t samples() const { return std::ssize(levels_); }
  const std::vector<std::uint32_t>& of_samples() const { return levels_; }
  std::span<const std::uint32_t> totals() const { return totals_; }

  void count(const FeatureLevels& feature, JointCounts& joint) const;

 private:
  void count_bytes(const std::uint8_t* bytes, JointCounts& joint) const;

  std::vector<std::uint32_t> levels_;
  std::uint32_t count_;
  std::vector<std::uint32_t> totals_;  // samples at each level
  // For features of 1, 2, 4 and 8 planes, if there are any: see count_planes. Empty where counting bytes is quicker.
  std::array<AlignedBuffer<std::uint64_t>, 4> rows_;
};

}  // namespace land
