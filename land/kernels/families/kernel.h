// A kernel, and what it can make of a feature or a target. One file per kernel; kernels.h says who has which.
#pragma once

#include <memory>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/factors/full_kernel.h"
#include "land/kernels/families/kernel_form.h"
#include "land/kernels/sketches/sketch.h"
#include "land/options/options.h"

namespace land {

// Thread-safe. Features are not constant.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // The whole matrix.
  virtual FullKernel full(const FeatureView& feature) const = 0;
  virtual FullKernel full(const Target& target) const = 0;

  // What R is computed from. Whether that is a factor, has_factor() says.
  virtual KernelForm form(const FeatureView& feature, FactorUse use) const = 0;
  virtual KernelForm form(const Target& target) const = 0;
  virtual bool has_factor() const = 0;

  // Whether sketches bound R of its forms from below; asked for from such kernels only. `scale`: at most that of the
  // form.
  virtual bool has_sketches() const { return false; }
  virtual Sketch sketch(const FeatureView& /*feature*/, double /*scale*/, int /*columns*/) const { return {}; }

  // Whether the scoring pass knows bounds for its features (scorer.h); those without are scored from their forms.
  virtual bool has_bounds() const { return false; }
};

// One that has factors of few columns.
class FactorKernel : public Kernel {
 public:
  KernelForm form(const FeatureView& feature, FactorUse use) const final { return factor(feature, use); }
  KernelForm form(const Target& target) const final { return factor(target); }
  bool has_factor() const final { return true; }

 protected:
  virtual Factor factor(const FeatureView& feature, FactorUse use) const = 0;
  // Stored by sample, or by level.
  virtual Factor factor(const Target& target) const = 0;
};

// exp(-(x - y)^2 / (2 sigma^2)) of values scaled to unit deviation.
std::unique_ptr<const Kernel> make_gaussian_kernel(const KernelOptions& options);

// exp(-|x - y| / sigma), or -|x - y|, of the same values: KernelFamily::kLaplace and kDistance.
std::unique_ptr<const Kernel> make_sorted_kernel(const KernelOptions& options);

// x y of the same values.
std::unique_ptr<const Kernel> make_linear_kernel(const KernelOptions& options);

// The same of values whose ranks are not taken: of a target that is linear.
std::unique_ptr<const Kernel> make_residual_kernel(const KernelOptions& options);

// The one of these that options.family says.
std::unique_ptr<const Kernel> make_number_kernel(const KernelOptions& options);

// 1/n_c within a class of n_c samples, 0 between two.
std::unique_ptr<const Kernel> make_class_kernel(const KernelOptions& options);

// A kernel without what the covariates of options.adjustment tell of it: whatever it has itself, this one has factors,
// and neither sketches nor bounds. The kernel itself if there are none.
std::unique_ptr<const Kernel> with_covariates(std::unique_ptr<const Kernel> kernel, const KernelOptions& options);

}  // namespace land
