// The kernels of a run, and who has which: nominal features and classes the class kernel, survival the linear kernel of
// its values as they are, numbers that of the options; all without what covariates tell of them, if there are any.
#pragma once

#include <memory>
#include <variant>

#include "land/kernels/families/kernel.h"

namespace land {

class Kernels {
 public:
  explicit Kernels(const KernelOptions& options)
      : options_(options),
        numbers_(with_covariates(make_number_kernel(options), options)),
        classes_(with_covariates(make_class_kernel(options), options)),
        residuals_(with_covariates(make_residual_kernel(options), options)) {}

  const KernelOptions& options() const { return options_; }
  const Kernel& of(const FeatureView& feature) const { return feature.header->nominal ? *classes_ : *numbers_; }
  const Kernel& of(const Target& target) const {
    return target.has_classes() ? *classes_ : target.is_linear() ? *residuals_ : *numbers_;
  }
  // Whether what all features and all targets have is factors.
  bool have_factors() const { return numbers_->has_factor() && classes_->has_factor(); }
  // Whether the scoring pass knows bounds for numbers.
  bool have_bounds() const { return numbers_->has_bounds(); }
  // Whether all features have sketches.
  bool have_sketches() const { return numbers_->has_sketches() && classes_->has_sketches(); }

  KernelForm form(const FeatureView& feature, FactorUse use = FactorUse::kPairs) const {
    return of(feature).form(feature, use);
  }
  KernelForm form(const Target& target) const { return of(target).form(target); }
  // Of kernels that have factors.
  Factor factor(const FeatureView& feature, FactorUse use = FactorUse::kPairs) const {
    return std::get<Factor>(form(feature, use));
  }
  Factor factor(const Target& target) const { return std::get<Factor>(form(target)); }
  FullKernel full(const FeatureView& feature) const { return of(feature).full(feature); }
  FullKernel full(const Target& target) const { return of(target).full(target); }
  Sketch sketch(const FeatureView& feature, double scale, int columns) const {
    return of(feature).sketch(feature, scale, columns);
  }

 private:
  KernelOptions options_;
  std::unique_ptr<const Kernel> numbers_;
  std::unique_ptr<const Kernel> classes_;
  std::unique_ptr<const Kernel> residuals_;
};

}  // namespace land
