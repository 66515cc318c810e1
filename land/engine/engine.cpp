#include "land/engine/engine.h"

#include <algorithm>

namespace land {

std::int64_t Scores::constant() const {
  return std::count_if(features.begin(), features.end(), [](const Score& score) { return score.relevance < 0.0; });
}

}  // namespace land
