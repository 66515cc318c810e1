// Features that the lazy path has not looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "land/path/redundancy.h"

namespace land {

// In order of falling bound (then rising index), sorted only as far as asked.
class Untouched {
 public:
  explicit Untouched(std::span<const double> bound) {
    entries_.reserve(bound.size());
    for (std::size_t k = 0; k < bound.size(); ++k) {
      if (bound[k] > 0.0) entries_.push_back({bound[k], static_cast<FeatureId>(k)});
    }
  }

  bool empty() const { return next_ == size(); }

  // The largest bound left.
  double bound() {
    sort_to(next_ + 1);
    return entries_[next_].bound;
  }

  FeatureId take(Redundancy& redundancy) {
    if (next_ == prepared_) {
      sort_to(next_ + kPrepare);
      prepared_ = std::min(size(), next_ + kPrepare);
      std::vector<FeatureId> soon;
      for (std::int64_t t = next_; t < prepared_; ++t) soon.push_back(entries_[t].feature);
      redundancy.prepare(soon);
    }
    return entries_[next_++].feature;
  }

 private:
  static constexpr std::int64_t kPrepare = 32;        // announced together
  static constexpr std::int64_t kSortedChunk = 8192;  // sorted at first

  struct Entry {
    double bound;
    FeatureId feature;
    bool operator<(const Entry& other) const {
      return bound != other.bound ? bound > other.bound : feature < other.feature;
    }
  };

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }

  // In chunks that double, so that d features cost O(d) while few of them are asked for.
  void sort_to(std::int64_t count) {
    while (sorted_ < std::min(count, size())) {
      const auto begin = entries_.begin() + sorted_;
      const std::int64_t chunk = std::min(std::max(sorted_, kSortedChunk), size() - sorted_);
      if (sorted_ + chunk < size()) std::nth_element(begin, begin + chunk, entries_.end());
      std::sort(begin, begin + chunk);
      sorted_ += chunk;
    }
  }

  std::vector<Entry> entries_;
  std::int64_t sorted_ = 0;
  std::int64_t prepared_ = 0;
  std::int64_t next_ = 0;
};

}  // namespace land
