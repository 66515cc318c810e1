#include "land/permuting/permuted_scores.h"

#include <algorithm>

namespace land {

void PermutedScores::note(FeatureId feature, std::int64_t permutation, double relevance, double floor) {
  ++evaluated;
  double& so_far = largest[static_cast<std::size_t>(permutation - first)];
  so_far = std::max(so_far, relevance);
  if (relevance >= floor) values.push_back({relevance, permutation, feature});
}

void PermutedScores::add(PermutedScores&& part) {
  if (largest.empty()) {
    *this = std::move(part);
    return;
  }
  for (std::size_t b = 0; b < largest.size(); ++b) largest[b] = std::max(largest[b], part.largest[b]);
  values.insert(values.end(), part.values.begin(), part.values.end());
  evaluated += part.evaluated;
}

}  // namespace land
