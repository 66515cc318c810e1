// A sparse additive model, fitted by going through its components again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "land/base/feature_id.h"
#include "land/methods/additive/smoother.h"

namespace land {

// y = sum_k g_k(x_k) + rest, where at a fit every g_k is S_k of what the others leave, shrunk towards zero by lambda:
//   g_k = max(0, 1 - lambda sqrt(n) / ||S_k r_k||) S_k r_k,   r_k = y - sum_{j != k} g_j.
// With several responses all norms are over all of them.
class AdditiveFit {
 public:
  struct Component {
    FeatureId feature = 0;
    Smoother smoother;
    std::vector<double> a;  // g = U a
  };

  AdditiveFit(std::int64_t samples, std::vector<double> responses);

  std::span<const Component> components() const { return components_; }  // in order of entry
  std::span<const double> residual() const { return residual_; }
  double norm_of(const Component& component) const;  // ||g|| / sqrt(n)

  void add(FeatureId feature, Smoother smoother);

  // Until no component changes by more than `accuracy`; what has become zero leaves. `each` is called at every sweep.
  void converge(double lambda, double accuracy, const std::function<void()>& each);

 private:
  double update(Component& component, double lambda);

  double root_;  // of the samples
  std::vector<double> residual_;
  std::vector<Component> components_;
};

}  // namespace land
