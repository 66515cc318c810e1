#include "land/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/options/option_table.h"

namespace land {

std::vector<double> even_basis(std::int64_t count) {
  check_range("bases", count);    // before it is laid out
  constexpr double kReach = 5.0;  // the paper's grid ends five standard deviations from the mean
  std::vector<double> points(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  // Mirrored points are exact negatives of each other, so that a feature and its negative get the same factor.
  for (std::int64_t i = 0; i < count; ++i) {
    points[static_cast<std::size_t>(i)] =
        count == 1 ? 0.0 : kReach * static_cast<double>(2 * i - (count - 1)) / static_cast<double>(count - 1);
  }
  return points;
}

namespace {

void validate_basis(std::vector<double> points) {
  if (points.size() < 2) {
    throw InputError(fmt::format("a basis needs at least 2 points, {} given: raise {} or add points to {}",
                                 points.size(), option("bases"), option("basis")));
  }
  for (const double point : points) {
    if (!std::isfinite(point)) throw InputError(fmt::format("{}: {} is not a finite number", option("basis"), point));
  }
  std::sort(points.begin(), points.end());
  const auto repeated = std::adjacent_find(points.begin(), points.end());
  if (repeated != points.end()) {
    throw InputError(
        fmt::format("{}: the point {} is given more than once: give every point once", option("basis"), *repeated));
  }
}

}  // namespace

void validate(const SelectOptions& options) {
  check_range("features", options.features);
  check_range("sigma", options.kernel.sigma);
  if (options.kernel.factor == FactorKind::kNystrom) {
    if (options.kernel.family != KernelFamily::kGaussian) {
      throw InputError(fmt::format("{}: {} and {} approximate the Gaussian kernel: leave them out, or take {}",
                                   option("kernel", to_string(options.kernel.family)), option("bases"), option("basis"),
                                   option("kernel", to_string(KernelFamily::kGaussian))));
    }
    validate_basis(options.kernel.basis);
  }
  check_range("ridge", options.ridge);
  check_range("neighbors", options.neighbors);
  check_range("block-size", options.block_size);
}

std::string_view to_string(Task task) {
  switch (task) {
    case Task::kAuto:
      return "auto";
    case Task::kClassification:
      return "classification";
    case Task::kRegression:
      return "regression";
  }
  return "";
}

std::string_view to_string(Measure measure) {
  switch (measure) {
    case Measure::kNhsic:
      return "nhsic";
    case Measure::kHsic:
      return "hsic";
  }
  return "";
}

std::string_view to_string(KernelFamily family) {
  switch (family) {
    case KernelFamily::kGaussian:
      return "gaussian";
    case KernelFamily::kLaplace:
      return "laplace";
    case KernelFamily::kDistance:
      return "distance";
    case KernelFamily::kLinear:
      return "linear";
  }
  return "";
}

std::string_view to_string(FactorKind factor) {
  switch (factor) {
    case FactorKind::kCholesky:
      return "cholesky";
    case FactorKind::kNystrom:
      return "nystrom";
    case FactorKind::kFull:
      return "full";
  }
  return "";
}

std::string_view form_name(const KernelOptions& options) {
  if (options.factor == FactorKind::kFull) return to_string(options.factor);
  switch (options.family) {
    case KernelFamily::kGaussian:
      return to_string(options.factor);
    case KernelFamily::kLaplace:
    case KernelFamily::kDistance:
      return "sorted";
    case KernelFamily::kLinear:
      return "linear";
  }
  return "";
}

std::string_view to_string(Missing missing) {
  switch (missing) {
    case Missing::kError:
      return "error";
    case Missing::kMean:
      return "mean";
    case Missing::kIgnore:
      return "ignore";
    case Missing::kLevel:
      return "level";
    case Missing::kDropFeature:
      return "drop-feature";
  }
  return "";
}

}  // namespace land
