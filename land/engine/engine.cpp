#include "land/engine/engine.h"

#include <algorithm>

#include "land/blocks/checksum.h"

namespace land {

std::int64_t Scores::constant() const {
  return std::count_if(features.begin(), features.end(), [](const Score& score) { return score.relevance < 0.0; });
}

std::uint64_t fingerprint(std::span<const std::uint32_t> checksums, std::int64_t samples) {
  std::uint64_t all = mix(mix(checksums.size()) ^ static_cast<std::uint64_t>(samples));
  for (const std::uint32_t checksum : checksums) all = mix(all ^ checksum);
  return all;
}

}  // namespace land
