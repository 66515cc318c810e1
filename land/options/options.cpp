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

void validate_widths(const KernelOptions& options) {
  for (const double width : options.sigma) check_range("sigma", width);
  if (in_rising_order(options.sigma) != options.sigma) {
    throw InputError(fmt::format("{}: give the widths in rising order", option("sigma")));
  }
  if (options.sigma.size() == 1) return;
  if (options.sigma.size() > kMostWidths) {
    throw InputError(
        fmt::format("{}: {} widths are too many, give at most {}", option("sigma"), options.sigma.size(), kMostWidths));
  }
  if (options.family != KernelFamily::kGaussian) {
    throw InputError(fmt::format("{}: several widths are for the Gaussian kernel: give one, or take {}",
                                 option("sigma"), option("kernel", to_string(KernelFamily::kGaussian))));
  }
  if (options.measure != Measure::kNhsic) {
    throw InputError(
        fmt::format("{}: several widths are normalised before they are added up, which {} does not do: "
                    "give one",
                    option("sigma"), option("measure", std::string_view("hsic"))));
  }
  if (options.factor == FactorKind::kNystrom) {
    throw InputError(fmt::format("{}: the paper's approximation has one width: leave out {} and {}, or give one",
                                 option("sigma"), option("bases"), option("basis")));
  }
}

void validate_adjustment(const KernelOptions& options) {
  const bool sorted = options.family == KernelFamily::kLaplace || options.family == KernelFamily::kDistance;
  if (!options.adjustment || !sorted || options.factor == FactorKind::kFull) return;
  throw InputError(fmt::format("{}: {} has no factors to take covariates out of: take {} or {}, or add {}",
                               option("adjust"), option("kernel", to_string(options.family)),
                               option("kernel", to_string(KernelFamily::kGaussian)),
                               option("kernel", to_string(KernelFamily::kLinear)), option("exact")));
}

// Each is there once, and there is one.
template <class T>
void validate_list(std::string_view key, std::vector<T> list) {
  if (list.empty()) throw InputError(fmt::format("{}: the list is empty: name one or more", option(key)));
  std::sort(list.begin(), list.end());
  const auto repeated = std::adjacent_find(list.begin(), list.end());
  if (repeated != list.end()) {
    throw InputError(fmt::format("{}: {} is given more than once: give each once", option(key), *repeated));
  }
}

void validate_bins(const Bins& bins) {
  check_range("bins", bins.count);
  constexpr std::size_t kMostCuts = 63;
  if (bins.cuts.size() > kMostCuts) {
    throw InputError(fmt::format("{}: {} cut points; give at most {}", option("bins"), bins.cuts.size(), kMostCuts));
  }
  for (std::size_t c = 0; c < bins.cuts.size(); ++c) {
    if (!std::isfinite(bins.cuts[c]) || (c > 0 && bins.cuts[c] <= bins.cuts[c - 1])) {
      throw InputError(
          fmt::format("{}: cut points must be finite and rise; {} does not", option("bins"), bins.cuts[c]));
    }
  }
}

}  // namespace

std::vector<double> in_rising_order(std::vector<double> widths) {
  if (widths.empty()) throw InputError(fmt::format("{}: give at least one width", option("sigma")));
  std::sort(widths.begin(), widths.end());
  const auto repeated = std::adjacent_find(widths.begin(), widths.end());
  if (repeated != widths.end()) {
    throw InputError(
        fmt::format("{}: the width {} is given more than once: give every width once", option("sigma"), *repeated));
  }
  return widths;
}

void validate(const SelectOptions& options) {
  check_range("features", options.features);
  validate_widths(options.kernel);
  if (options.kernel.factor == FactorKind::kNystrom) {
    if (options.kernel.family != KernelFamily::kGaussian) {
      throw InputError(fmt::format("{}: {} and {} approximate the Gaussian kernel: leave them out, or take {}",
                                   option("kernel", to_string(options.kernel.family)), option("bases"), option("basis"),
                                   option("kernel", to_string(KernelFamily::kGaussian))));
    }
    validate_basis(options.kernel.basis);
  }
  validate_adjustment(options.kernel);
  check_range("ridge", options.ridge);
  check_range("landmarks", options.landmarks);
  validate_bins(options.bins);
  check_range("neighbors", options.neighbors);
  check_range("alpha", options.alpha);
  if (!options.automatic && options.alpha != SelectOptions{}.alpha) {
    throw InputError(fmt::format("{}: goes with {} alone: leave it out, or ask for that",
                                 option("alpha", options.alpha), option("features", std::string_view("auto"))));
  }
  check_range("permutations", options.permutations);
  check_range("seed", options.seed);
  check_range("block-size", options.block_size);
}

void validate(const EvaluateOptions& options) {
  validate(options.select);
  validate_list("methods", options.methods);
  validate_list("features", options.features);
  for (const std::int64_t m : options.features) check_range("features", m);
  check_range("folds", options.folds.folds);
  check_range("repeats", options.folds.repeats);
  check_range("seed", options.folds.seed);
}

void validate(const StabilityOptions& options) {
  validate(options.select);
  if (options.features) check_range("features", *options.features);
  check_range("pairs", options.pairs);
  check_range("max-false", options.max_false);
  check_range("seed", options.seed);
}

std::string_view to_string(Task task) {
  switch (task) {
    case Task::kAuto:
      return "auto";
    case Task::kClassification:
      return "classification";
    case Task::kRegression:
      return "regression";
    case Task::kSurvival:
      return "survival";
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

std::string_view to_string(Transform transform) {
  switch (transform) {
    case Transform::kNone:
      return "none";
    case Transform::kRank:
      return "rank";
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
