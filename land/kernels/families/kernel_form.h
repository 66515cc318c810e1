// What f and R of a feature, or f to a target, are computed from: the factor of its kernel or, of a kernel that has
// none, its values in order.
#pragma once

#include <cstdint>
#include <variant>

#include "land/kernels/factors/factor.h"
#include "land/kernels/sorted/sorted_kernel.h"

namespace land {

using KernelForm = std::variant<Factor, SortedKernel>;

struct FormSize {
  double norm = 0.0;      // of the centred kernel
  double scale = 0.0;     // what it is multiplied by
  double residual = 0.0;  // what the form may lack of it, relative to the norm
  double rounding = 0.0;  // what sums from it may be off by, relative to the norms
  std::int64_t bytes = 0;
  std::int64_t columns = 0;  // of a factor
  double sketched = 0.0;     // what sketches are divided by, if that is not the norm
};
FormSize size_of(const Factor& factor);
FormSize size_of(const KernelForm& form);

// R. Of a factor and sorted values, the factor is that of classes, or stored by sample.
double redundancy(const KernelForm& a, const KernelForm& b);

}  // namespace land
