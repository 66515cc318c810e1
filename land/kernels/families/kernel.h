// A kernel, and what it can make of a feature or a target. One file per kernel; kernels.h says who has which.
#pragma once

#include <memory>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/factors/full_kernel.h"
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

  virtual Factor factor(const FeatureView& feature, FactorUse use) const = 0;
  // Stored by sample, or by level.
  virtual Factor factor(const Target& target) const = 0;

  // Whether sketches bound R of its factors from below. `scale`: at most that of the factor.
  virtual bool has_sketches() const = 0;
  virtual Sketch sketch(const FeatureView& feature, double scale, int columns) const = 0;

  // Whether the scoring pass knows bounds for its features (scorer.h); those without are scored from their factors.
  virtual bool has_bounds() const = 0;
};

// exp(-(x - y)^2 / (2 sigma^2)) of values scaled to unit deviation.
std::unique_ptr<const Kernel> make_gaussian_kernel(const KernelOptions& options);

// 1/n_c within a class of n_c samples, 0 between two.
std::unique_ptr<const Kernel> make_class_kernel(const KernelOptions& options);

}  // namespace land
