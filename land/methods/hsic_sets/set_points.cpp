#include "land/methods/hsic_sets/set_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/points/impute_mean.h"
#include "land/kernels/points/rank_scores.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {

// Minutes on a few threads.
constexpr double kMostOperations = 1e11;

void set_numbers(std::vector<double>& values, double* out) {
  impute_mean(values);
  const Points points = standardise(values);
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = points.of_sample(static_cast<std::int64_t>(i));
}

// Returns how far categories are apart.
double set_categories(const std::vector<double>& values, double* out) {
  std::map<double, double> counts;
  double missing = 0.0;
  for (const double value : values) (std::isnan(value) ? missing : counts[value]) += 1.0;
  std::map<double, double> numbers;
  const auto n = static_cast<double>(values.size());
  double same = missing * missing / (n * n);
  for (const auto& [value, count] : counts) {
    numbers.emplace(value, static_cast<double>(numbers.size()));
    same += count * count / (n * n);
  }
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = std::isnan(values[i]) ? -1.0 : numbers[values[i]];
  return 2.0 / (1.0 - same);
}

}  // namespace

SetPoints::SetPoints(const Setting& setting) : rows_(setting.engine.samples()), stride_(padded(rows_.samples)) {
  for (std::size_t k = 0; k < setting.bounds.size(); ++k) {
    if (setting.bounds[k] >= 0.0) ids_.push_back(static_cast<FeatureId>(k));
  }
  values_.assign(ids_.size() * static_cast<std::size_t>(stride_), 0.0);
  apart_.assign(ids_.size(), 0.0);
  setting.engine.visit(ids_, [&](std::size_t position, const FeatureView& feature) {
    setting.context.check_stop();
    static thread_local std::vector<double> values;
    values.resize(static_cast<std::size_t>(feature.samples));
    feature.copy_values(values);
    double* out = values_.data() + position * static_cast<std::size_t>(stride_);
    if (feature.header->nominal) {
      apart_[position] = set_categories(values, out);
    } else {
      if (setting.options.kernel.transform == Transform::kRank) rank_scores(values);
      set_numbers(values, out);
    }
  });
  set_target(setting);
}

void SetPoints::set_target(const Setting& setting) {
  KernelOptions options = setting.options.kernel;
  options.measure = Measure::kHsic;
  const FullKernel kernel = Kernels(options).full(setting.target);  // HLH / n
  const std::int64_t n = samples();
  target_.assign(rows_.size(), 0.0);
  const auto value = [&](std::int64_t i, std::int64_t j) {
    return kernel.values[static_cast<std::size_t>(i * n + j)] / static_cast<double>(n);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) target_[rows_.at(i, j)] = value(i, j);
    diagonal_ += value(i, i);
  }
}

std::int64_t SetPoints::bytes(const Setting& setting) {
  const std::int64_t n = setting.engine.samples();
  const auto each = static_cast<std::int64_t>(sizeof(double));
  return setting.engine.features() * (padded(n) + 4) * each + n * n * each + PairRows::bytes(n);
}

void check_set_work(const Setting& setting, double operations, std::int64_t bytes) {
  const std::string& method = setting.options.method;
  if (setting.options.kernel.family != KernelFamily::kGaussian || setting.options.kernel.sigma.size() > 1) {
    throw InputError(
        fmt::format("{}: sets of features have the Gaussian kernel of one width: leave out {}, and give one {}",
                    option("method", method), option("kernel"), option("sigma")));
  }
  const std::int64_t d = setting.engine.features();
  const std::int64_t n = setting.engine.samples();
  if (operations > kMostOperations) {
    throw InputError(
        fmt::format("{}: {} features x {} samples take about {:.1e} operations, more than the {:.1e} it is "
                    "meant for; choose some with {} first, or use {}",
                    option("method", method), d, n, operations, kMostOperations, option("method", "mr-nhsic"),
                    option("method", "land")));
  }
  if (bytes > setting.memory) {
    throw InputError(
        fmt::format("{}: {} features x {} samples take {}, more than the {} there are; give more with {}, "
                    "or use {}",
                    option("method", method), d, n, amount({bytes}), amount({setting.memory}), option("memory"),
                    option("method", "land")));
  }
}

}  // namespace land
