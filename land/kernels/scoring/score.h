// What the scoring pass finds out about one feature.
#pragma once

namespace land {

struct Score {
  double relevance = -1.0;  // an upper bound of f_k; negative for a constant feature, which is left out
  double norm = 0.0;        // an upper bound of ||HK_kH||_F
  double error = 0.0;       // f_k is at least relevance - error
};

}  // namespace land
