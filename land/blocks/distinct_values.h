// Numbers the distinct values of a column in order of their first appearance, up to a limit.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "land/base/checksum.h"

namespace land {

// kMost: the largest limit that clear() may set. -0 is the same value as 0, and all NaN are one.
template <int kMost>
class DistinctValues {
 public:
  explicit DistinctValues(std::int64_t limit = kMost) { clear(limit); }

  void clear(std::int64_t limit = kMost) {
    slots_.fill(-1);
    counts_.fill(-1);
    count_ = 0;
    limit_ = static_cast<int>(limit);
  }

  // The number of a value, or -1 when it would be one too many.
  int code(double value) {
    // Small counts, which most codes stand for, are looked up.
    if (value >= 0.0 && value < static_cast<double>(counts_.size())) {
      const auto count = static_cast<std::size_t>(value);
      if (static_cast<double>(count) == value) {
        if (counts_[count] < 0) counts_[count] = static_cast<std::int16_t>(find(value));
        return counts_[count];
      }
    }
    return find(value);
  }

  int count() const { return count_; }
  bool full() const { return count_ >= limit_; }
  std::span<const double> values() const { return {values_.data(), static_cast<std::size_t>(count_)}; }

 private:
  int find(double value) {
    value = value == value ? value + 0.0 : std::numeric_limits<double>::quiet_NaN();
    std::size_t slot = mix(std::bit_cast<std::uint64_t>(value)) % slots_.size();
    while (slots_[slot] >= 0) {
      const double known = values_[static_cast<std::size_t>(slots_[slot])];
      if (std::bit_cast<std::uint64_t>(known) == std::bit_cast<std::uint64_t>(value)) return slots_[slot];
      slot = (slot + 1) % slots_.size();
    }
    if (count_ >= limit_) return -1;
    values_[static_cast<std::size_t>(count_)] = value;
    slots_[slot] = static_cast<std::int16_t>(count_);
    return count_++;
  }

  std::array<std::int16_t, 256> counts_;  // the number of each, or -1
  std::array<std::int16_t, std::size_t{4} * kMost> slots_;
  std::array<double, kMost> values_;
  int count_ = 0;
  int limit_ = kMost;
};

}  // namespace land
