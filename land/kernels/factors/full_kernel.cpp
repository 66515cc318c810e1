#include "land/kernels/factors/full_kernel.h"

#include <algorithm>
#include <cmath>

namespace land {
namespace {

// Samples whose row and column are zero on entry may be left out of the centring: `ignored` says which.
void centre_and_scale(FullKernel& kernel, Measure measure, const std::vector<bool>& ignored) {
  const auto n = static_cast<std::size_t>(kernel.samples);
  const auto over = static_cast<double>(std::count(ignored.begin(), ignored.end(), false));
  std::vector<double> means(n, 0.0);
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) means[i] += kernel.values[i * n + j];
    means[i] /= over;
    mean += means[i] / over;
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      double& value = kernel.values[i * n + j];
      if (ignored[i] || ignored[j]) continue;
      value += mean - means[i] - means[j];
      row += value * value;
    }
    squares += row;
  }
  const double scale = kernel_scale(measure, std::sqrt(squares), static_cast<double>(n));
  for (double& value : kernel.values) value *= scale;
}

// `kernel_of` two points. Missing values have none with others, and 1 among themselves if they are a level.
template <class KernelOf>
FullKernel matrix_of(const Points& points, const KernelOptions& options, const KernelOf& kernel_of) {
  const auto n = static_cast<std::size_t>(points.samples);
  FullKernel kernel{points.samples, std::vector<double>(n * n)};
  std::vector<bool> is_missing(n, false);
  for (std::size_t i = 0; i < n; ++i) is_missing[i] = points.is_missing(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& value = kernel.values[i * n + j];
      if (is_missing[i] || is_missing[j]) {
        value = options.missing == Missing::kLevel && is_missing[i] && is_missing[j] ? 1.0 : 0.0;
        continue;
      }
      value = kernel_of(points.of_sample(static_cast<std::int64_t>(i)), points.of_sample(static_cast<std::int64_t>(j)));
    }
  }
  centre_and_scale(kernel, options.measure,
                   options.missing == Missing::kLevel ? std::vector<bool>(n, false) : is_missing);
  return kernel;
}

}  // namespace

FullKernel gaussian_matrix(const Points& points, const KernelOptions& options) {
  const auto of_width = [&](double sigma) {
    return matrix_of(points, options, [&](double u, double v) {
      const double difference = (u - v) / sigma;
      return std::exp(-0.5 * difference * difference);
    });
  };
  FullKernel sum = of_width(options.sigma.front());
  if (options.sigma.size() == 1) return sum;
  for (std::size_t w = 1; w < options.sigma.size(); ++w) {
    const FullKernel next = of_width(options.sigma[w]);
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += next.values[i];
  }
  const double scale = 1.0 / std::sqrt(inner_product(sum, sum));
  for (double& value : sum.values) value *= scale;
  return sum;
}

FullKernel laplace_matrix(const Points& points, const KernelOptions& options) {
  return matrix_of(points, options,
                   [&](double u, double v) { return std::exp(-std::abs(u - v) / options.sigma.front()); });
}

FullKernel distance_matrix(const Points& points, const KernelOptions& options) {
  // Twice the smaller of two distances from zero, if both are on one side of it.
  return matrix_of(points, options, [](double u, double v) {
    return (u > 0.0) == (v > 0.0) ? 2.0 * std::min(std::abs(u), std::abs(v)) : 0.0;
  });
}

FullKernel linear_matrix(const Points& points, const KernelOptions& options) {
  return matrix_of(points, options, [](double u, double v) { return u * v; });
}

FullKernel class_matrix(const Classes& classes, Measure measure) {
  const std::size_t n = classes.codes.size();
  FullKernel kernel{static_cast<std::int64_t>(n), std::vector<double>(n * n, 0.0)};
  std::vector<bool> in_none(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    in_none[i] = classes.codes[i] == classes.size();
    for (std::size_t j = 0; j < n; ++j) {
      if (classes.codes[i] == classes.codes[j] && !in_none[i]) {
        kernel.values[i * n + j] = 1.0 / classes.counts[classes.codes[i]];
      }
    }
  }
  centre_and_scale(kernel, measure, in_none);
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
