#include <cmath>
#include <utility>
#include <vector>

#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/adjustment/orthonormal_basis.h"
#include "land/kernels/adjustment/projected.h"
#include "land/kernels/families/kernel.h"

namespace land {
namespace {

class AdjustedKernel final : public FactorKernel {
 public:
  AdjustedKernel(std::unique_ptr<const Kernel> kernel, const KernelOptions& options)
      : kernel_(std::move(kernel)),
        basis_(options.adjustment->basis),
        measure_(options.measure),
        ignores_missing_(options.missing == Missing::kIgnore) {}

  FullKernel full(const FeatureView& feature) const override {
    return projected(kernel_->full(feature), *basis_of(feature), measure_);
  }
  FullKernel full(const Target& target) const override { return projected(kernel_->full(target), *basis_, measure_); }

 protected:
  // Whatever the use: two factors of a feature would differ by more than their residuals once the norm has shrunk.
  Factor factor(const FeatureView& feature, FactorUse /*use*/) const override {
    return projected(kernel_->has_factor() ? std::get<Factor>(kernel_->form(feature, FactorUse::kPairs))
                                           : factor_of(kernel_->full(feature)),
                     basis_of(feature), measure_);
  }
  Factor factor(const Target& target) const override {
    return projected(kernel_->has_factor() ? std::get<Factor>(kernel_->form(target)) : factor_of(kernel_->full(target)),
                     basis_, measure_);
  }

 private:
  // A kernel that ignores missing samples is zero there, and is to stay so: covariates are taken out over the others.
  std::shared_ptr<const DenseColumns> basis_of(const FeatureView& feature) const {
    if (!ignores_missing_ || feature.header->missing == 0) return basis_;
    std::vector<double> values(static_cast<std::size_t>(feature.samples));
    feature.copy_values(values);
    std::vector<bool> observed;
    for (const double value : values) observed.push_back(!std::isnan(value));
    return std::make_shared<const DenseColumns>(restricted_basis(*basis_, observed));
  }

  std::unique_ptr<const Kernel> kernel_;
  std::shared_ptr<const DenseColumns> basis_;
  Measure measure_;
  bool ignores_missing_;
};

}  // namespace

std::unique_ptr<const Kernel> with_covariates(std::unique_ptr<const Kernel> kernel, const KernelOptions& options) {
  if (!options.adjustment) return kernel;
  return std::make_unique<AdjustedKernel>(std::move(kernel), options);
}

}  // namespace land
