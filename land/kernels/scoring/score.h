// What the scoring pass finds out about one feature.
#pragma once

namespace land {

// What stands for the relevance of features that are left out: both are negative.
inline constexpr double kConstant = -1.0;
inline constexpr double kExplained = -2.0;  // covariates leave nothing of its kernel

struct Score {
  double relevance = kConstant;  // an upper bound of f_k
  double norm = 0.0;             // an upper bound of ||HK_kH||_F
  double error = 0.0;            // f_k is at least relevance - error
};

}  // namespace land
