// Ranges of features that are there, of many that come in any order.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "land/base/feature_id.h"

namespace land {

class FeatureRanges {
 public:
  using Range = std::pair<FeatureId, FeatureId>;  // first, and behind the last

  // Adds a range; returns what of it was not there before.
  std::vector<Range> add(FeatureId first, FeatureId last) {
    const std::vector<Range> added = gaps(first, last);
    if (first >= last) return added;
    auto at = ranges_.lower_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second >= first) --at;
    FeatureId begin = first;
    FeatureId end = last;
    // Neighbours are one: few ranges stay.
    while (at != ranges_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_[begin] = end;
    return added;
  }

  // What of a range is not there.
  std::vector<Range> gaps(FeatureId first, FeatureId last) const {
    std::vector<Range> found;
    auto at = ranges_.lower_bound(first);
    if (at != ranges_.begin()) first = std::max(first, std::prev(at)->second);
    for (; first < last && at != ranges_.end() && at->first < last; ++at) {
      if (first < at->first) found.emplace_back(first, at->first);
      first = at->second;
    }
    if (first < last) found.emplace_back(first, last);
    return found;
  }

 private:
  std::map<FeatureId, FeatureId> ranges_;
};

}  // namespace land
