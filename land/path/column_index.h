// Which column of a small matrix a feature has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "land/path/pair_oracle.h"

namespace land {

// The columns of a few features, looked up over and over.
class ColumnIndex {
 public:
  // Returns the feature's column: the one it has, or `column`.
  std::int64_t add(FeatureId feature, std::int64_t column) {
    if (4 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(feature)];
    if (slot.feature < 0) {
      slot = {feature, column};
      ++used_;
    }
    return slot.column;
  }

  // -1 if it has none.
  std::int64_t of(FeatureId feature) const { return slots_[place_of(feature)].column; }

 private:
  struct Slot {
    FeatureId feature = -1;
    std::int64_t column = -1;
  };

  // Where the feature is, or would be.
  std::size_t place_of(FeatureId feature) const {
    std::size_t at = static_cast<std::uint64_t>(feature) * 0x9e3779b97f4a7c15ULL >> shift_;
    while (slots_[at].feature >= 0 && slots_[at].feature != feature) at = (at + 1) % slots_.size();
    return at;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    --shift_;
    for (const Slot& slot : old) {
      if (slot.feature >= 0) slots_[place_of(slot.feature)] = slot;
    }
  }

  int shift_ = 64 - 8;
  std::size_t used_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(256);
};

}  // namespace land
