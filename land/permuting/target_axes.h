// The target of a job as columns, permuted as often as is asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/kernels/factors/dense_columns.h"
#include "land/kernels/factors/factor.h"
#include "land/permuting/axis_products.h"
#include "land/permuting/permutation_job.h"

namespace land {

// The same factor by sample, turned to its principal axes, in falling order of what they hold.
Factor turned_to_axes(Factor given);

// What each column of a factor holds: its square, times the factor's scale.
std::vector<double> held_by_columns(const Factor& factor);

class TargetAxes {
 public:
  explicit TargetAxes(const PermutationJob& job);

  std::int64_t permutations() const { return std::ssize(orders_) / samples_; }
  double scale() const { return scale_; }
  // Of the leading axes, whose columns there are: of unit length, those of one permutation side by side.
  std::span<const double> held() const { return {held_.data(), leading_}; }
  // Of the others.
  std::span<const double> rest() const { return std::span(held_).subspan(leading_); }
  const PermutedColumns& columns() const { return columns_; }
  // The target's factor, its rows in the order of permutation number `begin` + b.
  void permute(std::int64_t b, DenseColumns& to) const;

 private:
  std::span<const std::int32_t> order(std::int64_t b) const {
    return std::span(orders_).subspan(static_cast<std::size_t>(b * samples_), static_cast<std::size_t>(samples_));
  }

  std::int64_t samples_;
  double scale_ = 0.0;
  std::vector<double> held_;    // by all axes of the target
  std::vector<double> values_;  // [axis][sample]
  std::size_t leading_ = 0;
  std::vector<std::int32_t> orders_;  // [permutation][sample]
  PermutedColumns columns_;
};

}  // namespace land
