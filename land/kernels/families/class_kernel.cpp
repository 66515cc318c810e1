#include "land/kernels/factors/class_factor.h"
#include "land/kernels/families/kernel.h"
#include "land/kernels/points/classes.h"

namespace land {
namespace {

class ClassKernel final : public FactorKernel {
 public:
  explicit ClassKernel(const KernelOptions& options) : measure_(options.measure), missing_(options.missing) {}

  FullKernel full(const FeatureView& feature) const override {
    return class_matrix(classes_of(feature, missing_), measure_);
  }
  FullKernel full(const Target& target) const override { return class_matrix(classes_of(target), measure_); }

  Factor factor(const FeatureView& feature, FactorUse /*use*/) const override {
    return class_factor(classes_of(feature, missing_), measure_);
  }
  Factor factor(const Target& target) const override { return class_factor(classes_of(target), measure_); }

  bool has_sketches() const override { return true; }
  Sketch sketch(const FeatureView& feature, double scale, int columns) const override {
    return class_sketch(classes_of(feature, missing_), scale, columns);
  }

  // Few levels: their factor is as quick as a bound.
  bool has_bounds() const override { return false; }

 private:
  Measure measure_;
  Missing missing_;
};

}  // namespace

std::unique_ptr<const Kernel> make_class_kernel(const KernelOptions& options) {
  return std::make_unique<ClassKernel>(options);
}

}  // namespace land
