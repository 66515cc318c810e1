#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/kernels/factors/gaussian_factor.h"
#include "land/kernels/families/kernel.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {

class GaussianKernel final : public FactorKernel {
 public:
  explicit GaussianKernel(const KernelOptions& options) : options_(options), basis_(options.sigma) {}

  FullKernel full(const FeatureView& feature) const override {
    return gaussian_matrix(standardise(feature, options_.missing, options_.transform), options_);
  }
  FullKernel full(const Target& target) const override {
    return gaussian_matrix(standardise(target.values, options_.transform), options_);
  }

  Factor factor(const FeatureView& feature, FactorUse use) const override {
    return gaussian_factor(standardise(feature, options_.missing, options_.transform),
                           is_coded(feature.header->encoding), options_, use);
  }
  Factor factor(const Target& target) const override {
    Factor factor = stored_by_sample(
        gaussian_factor(standardise(target.values, options_.transform), false, options_, FactorUse::kPairs));
    if (factor.norm < kZeroNorm) {
      throw InputError(option("basis") + ": no point is near a value of the target: give points between -5 and 5, say");
    }
    return factor;
  }

  // Neither holds for the paper's fixed basis: its factor is another kernel, near this one.
  bool has_sketches() const override { return options_.factor != FactorKind::kNystrom; }
  bool has_bounds() const override { return options_.factor != FactorKind::kNystrom; }

  Sketch sketch(const FeatureView& feature, double scale, int columns) const override {
    return gaussian_sketch(feature, basis_, scale, options_, columns);
  }

 private:
  KernelOptions options_;
  SketchBasis basis_;
};

}  // namespace

std::unique_ptr<const Kernel> make_gaussian_kernel(const KernelOptions& options) {
  return std::make_unique<GaussianKernel>(options);
}

}  // namespace land
