// The target as columns of numbers, for methods that predict it by sums of effects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/data/target.h"

namespace land {

// Numbers: one column, standardised. Two classes: -1 and +1, standardised. C > 2 classes: the C indicator columns,
// centred, turned into C - 1 orthonormal directions of the space they span; no norm changes by that.
struct Responses {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  std::vector<double> values;  // one column after the other

  std::span<const double> column(std::int64_t c) const {
    return std::span(values).subspan(static_cast<std::size_t>(c * samples), static_cast<std::size_t>(samples));
  }
};

Responses make_responses(const Target& target);

}  // namespace land
