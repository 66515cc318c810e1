// A feature's values as points on a line: centred, scaled to unit population deviation, in double, each distinct value
// once where there are few of them.
#pragma once

#include <cstdint>
#include <vector>

#include "land/blocks/aligned.h"
#include "land/blocks/feature_block.h"

namespace land {

struct Points {
  // Distinct values in order of their first sample, or one point per sample where values seldom repeat.
  // Readable (padded with zeros) up to a whole number of chunks of 128.
  AlignedBuffer<double> u;
  std::int64_t count = 0;
  std::int64_t samples = 0;
  std::vector<double> weights;       // how many samples stand at each point; empty when there is one point per sample
  std::vector<std::uint16_t> codes;  // of each sample, its point; empty when there is one point per sample
  bool distinct() const { return !codes.empty(); }
  double of_sample(std::int64_t i) const {
    const auto sample = static_cast<std::size_t>(i);
    return u[distinct() ? codes[sample] : sample];
  }
};

// Distinct values are told apart up to so many, and where they are at most half as many as the samples.
inline constexpr int kMostDistinct = 512;

enum class Repeats : std::uint8_t { kMerge, kKeep };

// The feature must not be constant. Repeats::kKeep does not look for distinct values (codes have theirs anyway).
Points standardise(const FeatureView& feature, Repeats repeats = Repeats::kMerge);

// The same for plain values: the target's.
Points standardise(const std::vector<double>& values, Repeats repeats = Repeats::kMerge);

}  // namespace land
