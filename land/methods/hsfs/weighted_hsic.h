// HSIC with the target of the Gaussian kernel of all features, each with a weight:
// exp(-sum_k w_k^2 (squared distance of feature k) / (2 sigma^2 m)), m being how many are to be chosen. So m features
// of weight 1 have the kernel that fohsic and bahsic give to a set of them (hsic_sets/set_points.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/aligned.h"
#include "land/methods/hsic_sets/set_points.h"

namespace land {

class WeightedHsic {
 public:
  // `points` stay where they are.
  WeightedHsic(const Setting& setting, const SetPoints& points);

  // HSIC; fills in its gradient by the weights. Costs d n^2: two operations for each feature and pair of samples.
  double evaluate(std::span<const double> weights, std::span<double> gradient);

  // The derivatives by the squares of the weights, which tell zero weights apart: their gradients are all zero.
  std::vector<double> slopes(std::span<const double> weights);

 private:
  // HSIC, and its terms.
  double sum(std::span<const double> weights);
  // Fills in the slopes of features that have weight, or of all.
  void fill_slopes(std::span<const double> weights, bool all, std::span<double> slopes) const;

  const Setting& setting_;
  const SetPoints& points_;
  double rate_;
  AlignedBuffer<double> distances_;
  AlignedBuffer<double> terms_;  // of HSIC, by pair
};

}  // namespace land
