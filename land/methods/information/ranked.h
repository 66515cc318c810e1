// A feature by a value.
#pragma once

#include <cstddef>

namespace land {

// The larger value first, ties by index.
struct Ranked {
  std::size_t feature = 0;
  double value = 0.0;
  friend bool operator<(const Ranked& a, const Ranked& b) {
    return a.value != b.value ? a.value > b.value : a.feature < b.feature;
  }
};

}  // namespace land
