#include "land/kernels/full_kernel.h"

#include <cmath>

#include "land/kernels/standardise.h"

namespace land {
namespace {

void centre_and_scale(FullKernel& kernel, Measure measure) {
  const auto n = static_cast<std::size_t>(kernel.samples);
  std::vector<double> means(n, 0.0);
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) means[i] += kernel.values[i * n + j];
    means[i] /= static_cast<double>(n);
    mean += means[i] / static_cast<double>(n);
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      double& value = kernel.values[i * n + j];
      value += mean - means[i] - means[j];
      row += value * value;
    }
    squares += row;
  }
  const double scale = kernel_scale(measure, std::sqrt(squares), static_cast<double>(n));
  for (double& value : kernel.values) value *= scale;
}

FullKernel gaussian(const Points& points, const KernelOptions& options) {
  const auto n = static_cast<std::size_t>(points.samples);
  FullKernel kernel{points.samples, std::vector<double>(n * n)};
  std::vector<double> u;
  for (std::int64_t i = 0; i < points.samples; ++i) u.push_back(points.of_sample(i));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double difference = (u[i] - u[j]) / options.sigma;
      kernel.values[i * n + j] = std::exp(-0.5 * difference * difference);
    }
  }
  centre_and_scale(kernel, options.measure);
  return kernel;
}

}  // namespace

FullKernel make_full_kernel(const FeatureView& feature, const KernelOptions& options) {
  return gaussian(standardise(feature), options);
}

FullKernel make_full_kernel(const Target& target, const KernelOptions& options) {
  if (target.task == Task::kRegression) return gaussian(standardise(target.values), options);
  const auto n = static_cast<std::size_t>(target.size());
  std::vector<double> counts(target.class_names.size(), 0.0);
  for (const std::int32_t label : target.labels) counts[static_cast<std::size_t>(label)] += 1.0;
  FullKernel kernel{target.size(), std::vector<double>(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (target.labels[i] == target.labels[j]) {
        kernel.values[i * n + j] = 1.0 / counts[static_cast<std::size_t>(target.labels[i])];
      }
    }
  }
  centre_and_scale(kernel, options.measure);
  return kernel;
}

double inner_product(const FullKernel& a, const FullKernel& b) {
  const auto n = static_cast<std::size_t>(a.samples);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < n; ++j) row += a.values[i * n + j] * b.values[i * n + j];
    total += row;
  }
  return total;
}

}  // namespace land
