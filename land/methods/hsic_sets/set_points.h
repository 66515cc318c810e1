// All features and the target as kernels of sets of features have them. The kernel of a set S is
// exp(-sum over S of the squared distances / (2 sigma^2 |S|)): the width grows with the set, as the median of its
// distances does.
//
// Numbers are standardised; the mean stands in for missing ones. Two different categories of a nominal feature, missing
// being one of them, are so far apart that the mean squared distance of two samples is 2, as it is of every
// standardised feature: a feature of two categories is what it would be as numbers 0 and 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/aligned.h"
#include "land/methods/hsic_sets/pair_rows.h"
#include "land/methods/method.h"

namespace land {

class SetPoints {
 public:
  // All features whose bound is not negative.
  explicit SetPoints(const Setting& setting);
  static std::int64_t bytes(const Setting& setting);

  std::int64_t count() const { return std::ssize(ids_); }
  std::int64_t samples() const { return rows_.samples; }
  FeatureId id(std::int64_t position) const { return ids_[static_cast<std::size_t>(position)]; }
  const PairRows& rows() const { return rows_; }
  SetFeature feature(std::int64_t position) const {
    return {values_.data() + position * stride_, apart_[static_cast<std::size_t>(position)]};
  }

  // The centred kernel of the target, HLH / n^2, of pairs; and the sum of its diagonal.
  std::span<const double> target() const { return {target_.data(), target_.size()}; }
  double diagonal() const { return diagonal_; }
  // HSIC = <HKH, HLH> / n^2 of a kernel K whose diagonal is 1, given the sum over pairs of K and target().
  double hsic(double sum_of_pairs) const { return 2.0 * sum_of_pairs + diagonal_; }

 private:
  void set_target(const Setting& setting);

  PairRows rows_;
  std::int64_t stride_;
  std::vector<FeatureId> ids_;
  AlignedBuffer<double> values_;
  std::vector<double> apart_;
  AlignedBuffer<double> target_;
  double diagonal_ = 0.0;
};

// Throws InputError if the method would need more exponentials (or operations as dear) than can be waited for, or more
// memory than there is.
void check_set_work(const Setting& setting, double operations, std::int64_t bytes);

}  // namespace land
