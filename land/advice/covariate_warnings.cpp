#include "land/advice/covariate_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/families/kernels.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::size_t kShown = 3;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  return names.size() > kShown ? text + fmt::format(" and {} more", names.size() - kShown) : text;
}

double norm_of(const Kernels& kernels, const Target& target) { return size_of(kernels.form(target)).norm; }

void warn_of_uniform_strata(const Target& target, const Adjustment& adjustment, std::vector<std::string>& warnings) {
  if (!target.has_classes() || !adjustment.has_strata()) return;
  struct Stratum {
    std::int64_t samples = 0;
    std::int32_t label = 0;
    bool mixed = false;
  };
  std::vector<Stratum> strata(adjustment.stratum_names.size());
  for (std::size_t i = 0; i < adjustment.strata.size(); ++i) {
    Stratum& stratum = strata[static_cast<std::size_t>(adjustment.strata[i])];
    if (stratum.samples++ == 0) stratum.label = target.labels[i];
    stratum.mixed = stratum.mixed || stratum.label != target.labels[i];
  }
  std::string text;
  std::size_t count = 0;
  std::int64_t samples = 0;
  for (std::size_t s = 0; s < strata.size(); ++s) {
    if (strata[s].mixed || strata[s].samples == 0) continue;
    samples += strata[s].samples;
    if (++count > kShown) continue;
    text += fmt::format("{}{} ({}, all {})", count == 1 ? "" : "; ", adjustment.stratum_names[s],
                        strata[s].samples == 1 ? "1 sample" : fmt::format("{} samples", strata[s].samples),
                        in_quotes(target.class_names[static_cast<std::size_t>(strata[s].label)]));
  }
  if (count == 0) return;
  if (count > kShown) text += fmt::format("; and {} more", count - kShown);
  warnings.push_back(fmt::format(
      "{}: target {} has one class only in {} of {} strata, whose {} samples tell nothing of it beyond the covariates: "
      "{}",
      option("adjust"), in_quotes(target.name), count, strata.size(), samples, text));
}

}  // namespace

TargetLeft target_left(const Target& target, const KernelOptions& options) {
  TargetLeft left;
  if (!options.adjustment) return left;
  const Adjustment& adjustment = *options.adjustment;
  left.warnings = adjustment.warnings;
  KernelOptions plain = options;
  plain.adjustment = nullptr;
  const double before = norm_of(Kernels(plain), target);
  left.share = before > 0.0 ? norm_of(Kernels(options), target) / before : 0.0;
  std::vector<std::string> names;
  for (const Adjustment::Covariate& covariate : adjustment.covariates) names.push_back(covariate.name);
  if (left.share < kLeastLeft) {
    throw InputError(
        fmt::format("{}: the covariates ({}) determine the target {}: nothing of it is left to explain; "
                    "leave out those that stand for it",
                    option("adjust"), listed(names), in_quotes(target.name)));
  }
  if (left.share < kLittleLeft) {
    left.warnings.push_back(fmt::format(
        "{}: the covariates ({}) nearly determine the target {}: {:.1f} % of its kernel's norm is left, and "
        "features are selected for that alone",
        option("adjust"), listed(names), in_quotes(target.name), 100.0 * left.share));
  }
  warn_of_uniform_strata(target, adjustment, left.warnings);
  return left;
}

std::vector<std::string> explained_warnings(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {names.size() == 1 ? fmt::format("{}: 1 feature is explained by the covariates and was left out: {}",
                                          option("adjust"), listed(names))
                            : fmt::format("{}: {} features are explained by the covariates and were left out: {}",
                                          option("adjust"), names.size(), listed(names))};
}

}  // namespace land
