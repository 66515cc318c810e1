// The minimum of a smooth function over a box, by projected L-BFGS: quasi-Newton directions in the variables that are
// not held at a bound, and a search along the projected direction.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace land {

// The value at x; fills in the gradient.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct BoxMinimum {
  std::vector<double> x;
  double value = 0.0;
  double violation = 0.0;  // the largest component of the projected gradient
  std::int64_t evaluations = 0;
};

struct BoxOptions {
  double low = 0.0;
  double high = 1.0;
  double violation = 1e-6;  // at which it is done
  double progress = 1e-12;  // relative decrease of the value in a step below which it is done
  std::int64_t steps = 200;
};

BoxMinimum minimise_in_box(const SmoothFunction& function, std::vector<double> start, const BoxOptions& options);

}  // namespace land
