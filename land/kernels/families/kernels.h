// The kernels of a run, and who has which: nominal features and classes the class kernel, numbers the Gaussian one.
#pragma once

#include <memory>

#include "land/kernels/families/kernel.h"

namespace land {

class Kernels {
 public:
  explicit Kernels(const KernelOptions& options)
      : options_(options), numbers_(make_gaussian_kernel(options)), classes_(make_class_kernel(options)) {}

  const KernelOptions& options() const { return options_; }
  const Kernel& of(const FeatureView& feature) const { return feature.header->nominal ? *classes_ : *numbers_; }
  const Kernel& of(const Target& target) const { return target.has_classes() ? *classes_ : *numbers_; }
  // Whether all features have sketches.
  bool have_sketches() const { return numbers_->has_sketches() && classes_->has_sketches(); }

  Factor factor(const FeatureView& feature, FactorUse use = FactorUse::kPairs) const {
    return of(feature).factor(feature, use);
  }
  Factor factor(const Target& target) const { return of(target).factor(target); }
  FullKernel full(const FeatureView& feature) const { return of(feature).full(feature); }
  FullKernel full(const Target& target) const { return of(target).full(target); }
  Sketch sketch(const FeatureView& feature, double scale, int columns) const {
    return of(feature).sketch(feature, scale, columns);
  }

 private:
  KernelOptions options_;
  std::unique_ptr<const Kernel> numbers_;
  std::unique_ptr<const Kernel> classes_;
};

}  // namespace land
