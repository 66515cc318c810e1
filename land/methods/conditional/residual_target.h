// What chosen features leave of a target. docs/methods/conditional.md.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <vector>

#include "land/kernels/factors/factor.h"

namespace land {

// T_S = (I + 1/ridge sum over j in S of F_j F_j' / ||F_j F_j'||)^-1 T: what a kernel ridge regression of the target on
// the features S leaves.
class ResidualTarget {
 public:
  ResidualTarget(Factor target, double ridge);

  // T_S: by sample, turned to its principal axes, with the target's scale.
  const std::shared_ptr<const Factor>& left() const { return left_; }

  // Adds a feature to S. Cost: O(n r c) for its r columns and all c of S.
  void take_out(const Factor& feature);

 private:
  Eigen::MatrixXd target_;
  double residual_ = 0.0;  // the norm of what the target's factor lacks
  double scale_ = 0.0;
  double ridge_ = 0.0;
  std::vector<Eigen::MatrixXd> taken_;  // T_S = T - (sum of B B' over these) T
  Eigen::MatrixXd rest_;                // T_S
  std::shared_ptr<const Factor> left_;
};

}  // namespace land
