// What permuted targets come to over some features: enough for p-values of all and q-values of the best.
#pragma once

#include <cstdint>
#include <vector>

#include "land/base/feature_id.h"

namespace land {

struct PermutedScores {
  struct Value {
    double relevance = 0.0;
    std::int64_t permutation = 0;
    FeatureId feature = 0;
  };

  std::int64_t first = 0;       // the number of the first permutation
  std::vector<double> largest;  // of each permutation, over the features
  std::vector<Value> values;    // all from the job's floor on, in any order
  std::int64_t evaluated = 0;   // how many were computed; the others are below bounds

  // A relevance that was computed.
  void note(FeatureId feature, std::int64_t permutation, double relevance, double floor);
  void add(PermutedScores&& part);
};

}  // namespace land
