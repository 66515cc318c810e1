// Features that the lazy path has not looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "land/path/pair_oracle.h"

namespace land {

// In order of falling bound (then rising index). The best are gathered and sorted a chunk at a time: few are ever asked
// for, and memory for all of them costs more than another look at their bounds. Those without a positive bound, which
// never enter, are left out.
class Untouched {
 public:
  explicit Untouched(std::span<const double> bound)
      : bound_(bound), left_(std::count_if(bound.begin(), bound.end(), [](double b) { return b > 0.0; })) {}

  bool empty() const { return left_ == 0; }

  std::size_t bytes() const { return gathered_.capacity() * sizeof(Entry); }

  // The largest bound left.
  double bound() {
    gather_to(next_ + 1);
    return gathered_[next_].bound;
  }

  FeatureId take(PairOracle& oracle) {
    if (next_ == prepared_) {
      gather_to(next_ + kPrepare);
      if (next_ >= announced_) announce(oracle);
      prepared_ = std::min(next_ + kPrepare, gathered());
      std::vector<FeatureId> soon;
      for (std::int64_t t = next_; t < prepared_; ++t) soon.push_back(gathered_[t].feature);
      oracle.prepare(soon);
    }
    --left_;
    return gathered_[next_++].feature;
  }

 private:
  static constexpr std::int64_t kPrepare = 32;       // about to be asked for
  static constexpr std::int64_t kAnnounce = 2048;    // to be asked for in time; then as many again as there were
  static constexpr std::int64_t kFirstChunk = 8192;  // about so many at first, then as many again as there were
  static constexpr std::size_t kSample = 8192;       // of all bounds, at least half as many tell where a chunk ends

  struct Entry {
    double bound;
    FeatureId feature;
    bool operator<(const Entry& other) const {
      return bound != other.bound ? bound > other.bound : feature < other.feature;
    }
  };

  // What is taken next, as far as it has been gathered: each time about twice as many as before.
  void announce(PairOracle& oracle) {
    const std::int64_t end = std::min(next_ + std::max(kAnnounce, next_), gathered());
    std::vector<FeatureId> soon;
    for (std::int64_t t = next_; t < end; ++t) soon.push_back(gathered_[t].feature);
    oracle.announce(soon);
    announced_ = end;
  }

  std::int64_t gathered() const { return static_cast<std::int64_t>(gathered_.size()); }

  void gather_to(std::int64_t count) {
    while (gathered() < std::min(count, next_ + left_)) gather_chunk();
  }

  void gather_chunk() {
    const bool is_first = gathered_.empty();
    const auto is_left = [&](double b) { return b > 0.0 && (is_first || b < lowest_); };
    const std::int64_t left = next_ + left_ - gathered();
    const std::int64_t chunk = std::max(gathered(), kFirstChunk);
    double lowest = 0.0;
    if (chunk < left) {
      std::vector<double> sample;
      for (std::size_t k = 0; k < bound_.size(); k += bound_.size() / kSample + 1) {
        if (is_left(bound_[k])) sample.push_back(bound_[k]);
      }
      const auto share = static_cast<double>(chunk) / static_cast<double>(left);
      const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size()));
      std::nth_element(sample.begin(), sample.begin() + rank, sample.end(), std::greater<>());
      if (!sample.empty()) lowest = sample[rank];
    }
    const std::int64_t first = gathered();
    for (std::size_t k = 0; k < bound_.size(); ++k) {
      if (is_left(bound_[k]) && bound_[k] >= lowest) gathered_.push_back({bound_[k], static_cast<FeatureId>(k)});
    }
    std::sort(gathered_.begin() + first, gathered_.end());
    lowest_ = lowest;
  }

  std::span<const double> bound_;
  std::int64_t left_;            // not taken
  std::vector<Entry> gathered_;  // all whose bound is at least lowest_
  double lowest_ = 0.0;
  std::int64_t prepared_ = 0;
  std::int64_t announced_ = 0;
  std::int64_t next_ = 0;
};

}  // namespace land
