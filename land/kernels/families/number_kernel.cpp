#include <stdexcept>

#include "land/kernels/families/kernel.h"

namespace land {

std::unique_ptr<const Kernel> make_number_kernel(const KernelOptions& options) {
  switch (options.family) {
    case KernelFamily::kGaussian:
      return make_gaussian_kernel(options);
    case KernelFamily::kLaplace:
    case KernelFamily::kDistance:
      return make_sorted_kernel(options);
    case KernelFamily::kLinear:
      return make_linear_kernel(options);
  }
  throw std::logic_error("a kernel of no family");
}

}  // namespace land
