#include "land/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "land/error.h"

namespace land {

std::vector<double> even_basis(std::int64_t count) {
  // Refused before it is laid out: a slip of the finger must not fill the memory.
  constexpr std::int64_t kMostBases = 10'000;
  if (count > kMostBases) {
    throw InputError(fmt::format("--bases {}: at most {} points make sense", count, kMostBases));
  }
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
    throw InputError(fmt::format("a basis needs at least 2 points, {} given: raise --bases or add points to --basis",
                                 points.size()));
  }
  for (const double point : points) {
    if (!std::isfinite(point)) throw InputError(fmt::format("--basis: {} is not a finite number", point));
  }
  std::sort(points.begin(), points.end());
  const auto repeated = std::adjacent_find(points.begin(), points.end());
  if (repeated != points.end()) {
    throw InputError(fmt::format("--basis: the point {} is given more than once: give every point once", *repeated));
  }
}

}  // namespace

void validate(const SelectOptions& options) {
  if (options.features < 1) {
    throw InputError(fmt::format("--features {}: ask for at least 1 feature", options.features));
  }
  constexpr std::int64_t kMostFeatures = 1'000'000'000'000;
  if (options.features > kMostFeatures) {
    throw InputError(fmt::format("--features {}: no table has so many", options.features));
  }
  // Wider, all that kernels tell apart is rounding; narrower, every value is on its own.
  constexpr double kNarrowest = 1e-3;
  constexpr double kWidest = 1e3;
  if (!(options.kernel.sigma >= kNarrowest && options.kernel.sigma <= kWidest)) {
    throw InputError(
        fmt::format("--sigma {}: the width of the kernel must be between {} and {} standard deviations of a feature",
                    options.kernel.sigma, kNarrowest, kWidest));
  }
  if (options.kernel.factor == FactorKind::kNystrom) validate_basis(options.kernel.basis);
  if (!(options.ridge >= 0.0) || !std::isfinite(options.ridge)) {
    throw InputError(fmt::format("--ridge {}: must be a finite number, 0 or above", options.ridge));
  }
  if (options.neighbors < 0) {
    throw InputError(fmt::format("--neighbors {}: must be a number of features, or 0 for none", options.neighbors));
  }
  if (options.block_size < 0) {
    throw InputError(
        fmt::format("--block-size {}: must be a number of features, or 0 to choose one", options.block_size));
  }
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

std::string_view to_string(Method method) {
  switch (method) {
    case Method::kLand:
      return "land";
    case Method::kMaximumRelevance:
      return "mr-nhsic";
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
