// What permutations say of every feature that was scored; NaN where nothing is said.
#pragma once

#include <vector>

namespace land {

struct FeatureChance {
  std::vector<double> p_fwer;
  std::vector<double> expected;
  std::vector<double> q;
};

}  // namespace land
