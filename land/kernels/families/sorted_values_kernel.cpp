#include "land/kernels/sorted/sorted_kernel.h"

#include <utility>

#include "land/kernels/families/kernel.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {

class SortedValuesKernel final : public Kernel {
 public:
  explicit SortedValuesKernel(KernelOptions options) : options_(std::move(options)) {}

  FullKernel full(const FeatureView& feature) const override {
    return matrix(standardise(feature, options_.missing, options_.transform));
  }
  FullKernel full(const Target& target) const override {
    return matrix(standardise(target.values, options_.transform));
  }

  KernelForm form(const FeatureView& feature, FactorUse /*use*/) const override {
    return sorted_kernel(feature, options_);
  }
  KernelForm form(const Target& target) const override { return sorted_kernel(target.values, options_); }
  bool has_factor() const override { return false; }

 private:
  FullKernel matrix(const Points& points) const {
    return options_.family == KernelFamily::kLaplace ? laplace_matrix(points, options_)
                                                     : distance_matrix(points, options_);
  }

  KernelOptions options_;
};

}  // namespace

std::unique_ptr<const Kernel> make_sorted_kernel(const KernelOptions& options) {
  return std::make_unique<SortedValuesKernel>(options);
}

}  // namespace land
