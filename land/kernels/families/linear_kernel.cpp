#include <utility>

#include "land/kernels/factors/linear_factor.h"
#include "land/kernels/families/kernel.h"
#include "land/kernels/points/filled_values.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {

class LinearKernel final : public FactorKernel {
 public:
  explicit LinearKernel(KernelOptions options) : options_(std::move(options)) {}

  FullKernel full(const FeatureView& feature) const override {
    return linear_matrix(standardise(feature, options_.missing, options_.transform), options_);
  }
  FullKernel full(const Target& target) const override {
    return linear_matrix(standardise(target.values, options_.transform), options_);
  }

 protected:
  // By sample whatever the encoding: a column is no longer than codes, and the bits depend on the values alone.
  Factor factor(const FeatureView& feature, FactorUse /*use*/) const override {
    return linear_factor(standardise(filled_values(feature, options_.missing, options_.transform).values), options_);
  }
  Factor factor(const Target& target) const override {
    return linear_factor(standardise(target.values, options_.transform), options_);
  }

 private:
  KernelOptions options_;
};

}  // namespace

std::unique_ptr<const Kernel> make_linear_kernel(const KernelOptions& options) {
  return std::make_unique<LinearKernel>(options);
}

std::unique_ptr<const Kernel> make_residual_kernel(const KernelOptions& options) {
  KernelOptions plain = options;
  plain.transform = Transform::kNone;
  return std::make_unique<LinearKernel>(std::move(plain));
}

}  // namespace land
