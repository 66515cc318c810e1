#include "land/advice/single_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "land/advice/target_warnings.h"
#include "land/base/checksum.h"
#include "land/base/option.h"
#include "land/blocks/encode_column.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/families/kernels.h"
#include "land/text/printable.h"

namespace land {
namespace {

// One sample has this much of a feature's variance: the others then differ too little to say much.
constexpr double kLargeShare = 0.25;

Target without(const Target& target, std::int64_t sample) {
  Target rest = target;
  if (!rest.values.empty()) rest.values.erase(rest.values.begin() + sample);
  if (!rest.labels.empty()) rest.labels.erase(rest.labels.begin() + sample);
  return rest;
}

KernelOptions without(const KernelOptions& options, std::int64_t sample, std::int64_t samples) {
  KernelOptions rest = options;
  if (!options.adjustment) return rest;
  std::vector<bool> kept(static_cast<std::size_t>(samples), true);
  kept[static_cast<std::size_t>(sample)] = false;
  rest.adjustment = std::make_shared<const Adjustment>(without_samples(*options.adjustment, kept));
  return rest;
}

bool is_constant(const Target& target) {
  const auto all_equal = [](const auto& list) {
    return std::equal(list.begin() + (list.empty() ? 0 : 1), list.end(), list.begin());
  };
  return all_equal(target.values) && all_equal(target.labels);
}

// f over all samples but one.
double relevance_without(std::int64_t sample, std::vector<double> values, const KernelForm& rest_form,
                         const Kernels& kernels) {
  values.erase(values.begin() + sample);
  FeatureBlock block;
  block.clear(std::ssize(values));
  encode_column(values, checksum_multipliers(std::ssize(values)), 0, block);
  if (block.headers[0].constant) return 0.0;
  return redundancy(kernels.form(block.view(0)), rest_form);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  return names.size() > kShown ? text + fmt::format(" and {} more", names.size() - kShown) : text;
}

}  // namespace

std::vector<std::string> single_sample_warnings(const Table& table, const Target& target, const KernelOptions& options,
                                                const std::vector<SelectedFeature>& selected, Candidates& candidates) {
  const auto values_of = [&](const SelectedFeature& feature) {
    std::vector<double> values(static_cast<std::size_t>(table.samples()));
    candidates.column(feature.index).view(0).copy_values(values);
    return values;
  };
  std::map<std::int64_t, std::vector<const SelectedFeature*>> suspects;  // by the sample that may be all there is
  for (const SelectedFeature& feature : selected) {
    if (table.nominal.contains(feature.index)) continue;
    const Outlier outlier = find_outlier(values_of(feature));
    if (outlier.share >= kLargeShare) suspects[outlier.sample].push_back(&feature);
  }
  std::map<std::int64_t, std::vector<std::string>> follow;  // names of the features that follow a sample
  for (const auto& [sample, features] : suspects) {
    const Target rest = without(target, sample);
    if (is_constant(rest)) continue;
    const Kernels kernels(without(options, sample, table.samples()));
    const KernelForm rest_form = kernels.form(rest);
    for (const SelectedFeature* feature : features) {
      const double relevance = relevance_without(sample, values_of(*feature), rest_form, kernels);
      if (relevance < feature->relevance / 2.0) follow[sample].push_back(feature->name);
    }
  }
  std::vector<std::string> warnings;
  for (const auto& [sample, names] : follow) {
    warnings.push_back(fmt::format(
        "{} selected feature{} ({}) follow{} one sample, {}: without it {} relevance is less than half; leave "
        "it out with {}, or try {}",
        names.size(), names.size() == 1 ? "" : "s", listed(names), names.size() == 1 ? "s" : "",
        sample_title(table, sample), names.size() == 1 ? "its" : "their", option("exclude-samples"),
        option("sigma", std::int64_t{3})));
  }
  return warnings;
}

}  // namespace land
