// What covariates leave of the target, and what a user should know about that.
#pragma once

#include <string>
#include <vector>

#include "land/data/target.h"
#include "land/options/options.h"

namespace land {

struct TargetLeft {
  double share = 1.0;  // of the norm of its kernel
  std::vector<std::string> warnings{};
};

// With options.adjustment; all of the target without. Warns where less than kLittleLeft stays, and of strata in which
// all samples are of one class. Throws InputError where the covariates determine the target. Cost: two factors of it.
inline constexpr double kLittleLeft = 0.1;
TargetLeft target_left(const Target& target, const KernelOptions& options);

// "3 features are explained by the covariates and were left out: 'a', 'b' and 1 more"; of no features none.
std::vector<std::string> explained_warnings(const std::vector<std::string>& names);

}  // namespace land
