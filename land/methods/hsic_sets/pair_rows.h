// Pairs of samples i > j, row by row, each row padded to whole vectors; and sums over them for kernels of sets of
// features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "land/base/aligned.h"

namespace land {

inline constexpr std::int64_t kPairLanes = 8;
constexpr std::int64_t padded(std::int64_t count) { return (count + kPairLanes - 1) / kPairLanes * kPairLanes; }

struct PairRows {
  explicit PairRows(std::int64_t sample_count);
  static std::int64_t bytes(std::int64_t samples);  // of a number for each pair

  std::size_t at(std::int64_t i, std::int64_t j) const {
    return starts[static_cast<std::size_t>(i)] + static_cast<std::size_t>(j);
  }

  std::int64_t samples = 0;
  std::vector<std::size_t> starts;  // of each row, and behind the last
  std::size_t size() const { return starts.back(); }
};

// A feature as a set kernel has it: standardised numbers, or numbers of categories. Padded to whole vectors.
struct SetFeature {
  const double* values = nullptr;
  double apart = 0.0;  // the squared distance of two different categories; 0: numbers
};

// distances += factor * those of the feature, squared, in rows [first, last).
void add_distances(const PairRows& rows, const SetFeature& feature, double factor, std::int64_t first,
                   std::int64_t last, std::span<double> distances);
// In all rows.
void add_distances(const PairRows& rows, const SetFeature& feature, double factor, std::span<double> distances);

// The sum over pairs of weights times squared distances of the feature. Padding has weight 0.
double sum_distances(const PairRows& rows, std::span<const double> weights, const SetFeature& feature);

// The sum over pairs of weights exp(-rate (distances + sign * squared distances of the feature)). Padding has weight 0.
double sum_kernel(const PairRows& rows, std::span<const double> distances, std::span<const double> weights,
                  const SetFeature& feature, double sign, double rate);

// The same for the distances alone; `terms`, if there are any, become those of the sum.
double sum_kernel(const PairRows& rows, std::span<const double> distances, std::span<const double> weights, double rate,
                  std::span<double> terms = {});

}  // namespace land
