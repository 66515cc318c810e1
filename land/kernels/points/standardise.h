// A feature's values as points on a line: transformed, centred, scaled to unit population deviation, in double, each
// distinct value once where there are few of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/options/options.h"

namespace land {

struct Points {
  // Distinct values in order of their first sample, or one point per sample where values seldom repeat.
  // Readable (padded with zeros) up to a whole number of chunks of 128.
  AlignedBuffer<double> u;
  std::int64_t count = 0;
  std::int64_t samples = 0;
  std::vector<double> weights;       // how many samples stand at each point; empty when there is one point per sample
  std::vector<std::uint16_t> codes;  // of each sample, its point; empty when there is one point per sample
  // Points that stand for missing values, ascending: u is 0 there and means nothing. Centre and scale are those of the
  // others. Empty if the mean stands in for them.
  std::vector<std::int32_t> missing;
  std::int64_t missing_samples = 0;
  bool distinct() const { return !codes.empty(); }
  std::size_t point_of(std::int64_t sample) const {
    return distinct() ? codes[static_cast<std::size_t>(sample)] : static_cast<std::size_t>(sample);
  }
  double of_sample(std::int64_t sample) const { return u[point_of(sample)]; }
  bool is_missing(std::int64_t sample) const {
    return std::binary_search(missing.begin(), missing.end(), static_cast<std::int32_t>(point_of(sample)));
  }
};

// Distinct values are told apart up to so many, and where they are at most half as many as the samples.
inline constexpr int kMostDistinct = 512;

enum class Repeats : std::uint8_t { kMerge, kKeep };

// The feature must not be constant: at least two of its values differ. Repeats::kKeep does not look for distinct values
// (codes have theirs anyway).
Points standardise(const FeatureView& feature, Missing missing, Transform transform, Repeats repeats = Repeats::kMerge);

// The levels of a coded feature that some sample is at, as they are numbered, without `codes`; level_of[v] is the level
// of point v. `codes`: of all samples, or of some, all others being at level 0.
Points standardise_levels(const FeatureView& feature, std::span<const std::uint8_t> codes, Missing missing,
                          Transform transform, std::vector<std::uint8_t>& level_of);

// The same for plain values, none of them missing: the target's.
Points standardise(std::vector<double> values, Transform transform = Transform::kNone);

}  // namespace land
