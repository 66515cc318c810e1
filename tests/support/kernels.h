// One thing of one feature or target; the library makes its kernels once for all of them.
#pragma once

#include "land/kernels/families/kernels.h"

namespace land::test {

template <class Values>
Factor make_factor(const Values& values, const KernelOptions& options) {
  return Kernels(options).factor(values);
}
inline Factor make_factor(const FeatureView& feature, const KernelOptions& options, FactorUse use) {
  return Kernels(options).factor(feature, use);
}
template <class Values>
FullKernel make_full_kernel(const Values& values, const KernelOptions& options) {
  return Kernels(options).full(values);
}

}  // namespace land::test
