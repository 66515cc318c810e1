#include "land/kernels/adjustment/make_adjustment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/data/target.h"
#include "land/kernels/adjustment/orthonormal_basis.h"
#include "land/kernels/factors/gaussian_factor.h"
#include "land/kernels/points/standardise.h"
#include "land/text/printable.h"

namespace land {
namespace {

using DenseList = std::vector<std::vector<double>>;

void add_indicators(const Target& covariate, DenseList& columns) {
  for (std::size_t level = 0; level < covariate.class_names.size(); ++level) {
    std::vector<double>& column = columns.emplace_back(covariate.labels.size(), 0.0);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (covariate.labels[i] == static_cast<std::int32_t>(level)) column[i] = 1.0;
    }
  }
}

void add_leading_columns(const Target& covariate, Transform transform, DenseList& columns) {
  const Factor factor = stored_by_sample(
      gaussian_factor(standardise(covariate.values, transform), false, KernelOptions(), FactorUse::kPairs));
  for (std::int64_t a = 0; a < std::min(kColumnsOfNumeric, factor.columns); ++a) {
    std::vector<double>& column = columns.emplace_back();
    for (std::int64_t i = 0; i < factor.samples; ++i) column.push_back(factor.stored.at(i, a));
  }
}

// Splits each stratum by the levels of one more covariate.
void cross(const Target& covariate, Adjustment& adjustment) {
  const bool is_first = adjustment.strata.empty();
  if (is_first) adjustment.strata.assign(covariate.labels.size(), 0);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < covariate.labels.size(); ++i) {
    std::int32_t& stratum = adjustment.strata[i];
    const std::int32_t level = covariate.labels[i];
    const auto [found, is_new] = numbers.emplace(std::pair(stratum, level), static_cast<std::int32_t>(names.size()));
    if (is_new) {
      const std::string before = is_first ? "" : adjustment.stratum_names[static_cast<std::size_t>(stratum)] + ", ";
      names.push_back(fmt::format("{}{} {}", before, covariate.name,
                                  in_quotes(covariate.class_names[static_cast<std::size_t>(level)])));
    }
    stratum = found->second;
  }
  adjustment.stratum_names = std::move(names);
}

[[noreturn]] void throw_too_few(const std::string& who, std::int64_t columns, std::int64_t samples) {
  throw InputError(fmt::format(
      "{}: {} {} columns, for which {} samples are needed ({} each), and there are {}: leave out covariates, or put "
      "levels together",
      option("adjust"), who, columns, kSamplesPerColumn * columns, kSamplesPerColumn, samples));
}

}  // namespace

std::shared_ptr<const Adjustment> make_adjustment(std::span<const TargetColumn> covariates, Transform transform) {
  if (covariates.empty()) return nullptr;
  auto adjustment = std::make_shared<Adjustment>();
  DenseList columns;
  columns.emplace_back(static_cast<std::size_t>(covariates[0].size()), 1.0);
  bool all_nominal = true;
  for (const TargetColumn& column : covariates) {
    const Target covariate = make_target(column, Task::kAuto);
    const std::int64_t levels = std::ssize(covariate.class_names);
    // Before they are laid out: ids have a level for every sample.
    if (covariate.size() < kSamplesPerColumn * levels) {
      throw_too_few(fmt::format("the levels of {} take", in_quotes(covariate.name)), levels, covariate.size());
    }
    adjustment->covariates.push_back({covariate.name, levels});
    adjustment->warnings.insert(adjustment->warnings.end(), covariate.warnings.begin(), covariate.warnings.end());
    if (covariate.has_classes()) {
      add_indicators(covariate, columns);
    } else {
      add_leading_columns(covariate, transform, columns);
    }
    all_nominal = all_nominal && covariate.has_classes();
    if (all_nominal) cross(covariate, *adjustment);
  }
  if (!all_nominal) {
    adjustment->strata.clear();
    adjustment->stratum_names.clear();
  }
  adjustment->basis = std::make_shared<const DenseColumns>(orthonormal_basis(std::move(columns)));
  if (adjustment->samples() < kSamplesPerColumn * adjustment->columns()) {
    throw_too_few("the covariates take", adjustment->columns(), adjustment->samples());
  }
  return adjustment;
}

}  // namespace land
