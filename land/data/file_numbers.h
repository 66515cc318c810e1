// The numbers that samples or features have among all that the file has, where some are left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace land {

struct FileNumbers {
  std::vector<std::int64_t> kept;  // of those that are used, ascending; empty: all are

  std::int64_t operator[](std::int64_t k) const { return kept.empty() ? k : kept[static_cast<std::size_t>(k)]; }
  // The one that has this number; it is one of those used.
  std::int64_t find(std::int64_t number) const {
    return kept.empty() ? number : std::lower_bound(kept.begin(), kept.end(), number) - kept.begin();
  }
  // Of those that are used, only these are (ascending).
  void keep(std::vector<std::int64_t> used) {
    for (std::int64_t& k : used) k = (*this)[k];
    kept = std::move(used);
  }
};

}  // namespace land
