#include "land/methods/additive/additive_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

constexpr int kMostSweeps = 10'000;

}  // namespace

AdditiveFit::AdditiveFit(std::int64_t samples, std::vector<double> responses)
    : root_(std::sqrt(static_cast<double>(samples))), residual_(std::move(responses)) {}

double AdditiveFit::norm_of(const Component& component) const { return norm(component.a) / root_; }

void AdditiveFit::add(FeatureId feature, Smoother smoother) {
  const std::size_t responses = residual_.size() / static_cast<std::size_t>(smoother.samples);
  std::vector<double> a(smoother.columns() * responses, 0.0);
  components_.push_back({feature, std::move(smoother), std::move(a)});
}

// Returns by how much the component has changed.
double AdditiveFit::update(Component& component, double lambda) {
  std::vector<double> a = component.smoother.coordinates(residual_);
  for (std::size_t t = 0; t < a.size(); ++t) a[t] += component.a[t];
  component.smoother.smooth(a);
  const double size = norm(a) / root_;
  const double shrink = size > lambda ? 1.0 - lambda / size : 0.0;
  std::vector<double> change;
  for (std::size_t t = 0; t < a.size(); ++t) {
    change.push_back(shrink * a[t] - component.a[t]);
    component.a[t] = shrink * a[t];
  }
  component.smoother.add(-1.0, change, residual_);
  return norm(change) / root_;
}

void AdditiveFit::converge(double lambda, double accuracy, const std::function<void()>& each) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    each();
    double change = 0.0;
    for (Component& component : components_) change = std::max(change, update(component, lambda));
    if (change <= accuracy) break;
  }
  std::erase_if(components_, [](const Component& component) { return norm(component.a) == 0.0; });
}

}  // namespace land
