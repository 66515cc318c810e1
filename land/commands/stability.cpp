#include "land/commands/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/simd_target.h"
#include "land/base/stopwatch.h"
#include "land/base/version.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/commands/select_each.h"
#include "land/data/check_data.h"
#include "land/files/files_in_use.h"
#include "land/judging/folds.h"
#include "land/judging/stability_bound.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/method.h"
#include "land/pairs/memory_plan.h"
#include "land/text/printable.h"

namespace land {
namespace {

Stability describe(const Table& table, const Target& target, const StabilityOptions& options) {
  Stability result;
  result.version = version();
  result.options = options;
  result.covariates = covariate_names(options.select.kernel);
  result.data = {table.path, table.features(), table.samples()};
  result.target = {target.name, target.task, target.class_names};
  result.selections = 2 * options.pairs;
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(table.features())));
  result.asked = options.features.value_or(std::clamp<std::int64_t>(root, 1, kMostFromHalf));
  result.warnings = table.warnings;
  result.warnings.insert(result.warnings.end(), target.warnings.begin(), target.warnings.end());
  return result;
}

void warn_of_rare_classes(const Target& target, std::vector<std::string>& warnings) {
  std::vector<std::int64_t> sizes(target.class_names.size(), 0);
  for (const std::int32_t label : target.labels) ++sizes[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > 1) continue;
    warnings.push_back(
        fmt::format("class {} has one sample: one half of each pair has none of it", in_quotes(target.class_names[c])));
  }
}

// Both halves of every pair, one after the other. A half is what one of two folds holds out.
std::vector<SampleSubset> halves_of(const Table& table, const Target& target, const StabilityOptions& options) {
  std::vector<SampleSubset> halves;
  for (const Split& split : make_splits(target, {.folds = 2, .repeats = options.pairs, .seed = options.seed})) {
    Target part = part_of(target, split.held_out);
    if (part.size() < kFewestSamples || has_one_value(part)) {
      throw InputError(
          fmt::format("{}: {}: one half of pair {} has {} samples, too few, or one value of the target only; leave out "
                      "rare classes, or take another {}",
                      table.path, option("pairs", options.pairs), split.repeat + 1, part.size(), option("seed")));
    }
    halves.push_back({std::make_shared<const SampleNumbers>(split.held_out), std::move(part),
                      fmt::format("half {} of {}", halves.size() + 1, 2 * options.pairs)});
  }
  return halves;
}

// By falling frequency, then by index.
std::vector<FeatureFrequency> frequencies_of(const std::unordered_map<std::int64_t, std::int64_t>& counts,
                                             const Table& table, std::int64_t selections) {
  std::vector<FeatureFrequency> features;
  for (const auto& [index, count] : counts) {
    FeatureFrequency& feature = features.emplace_back();
    feature.index = index;
    feature.count = count;
    feature.frequency = static_cast<double>(count) / static_cast<double>(selections);
    feature.group_frequency = feature.frequency;
  }
  std::sort(features.begin(), features.end(), [](const FeatureFrequency& a, const FeatureFrequency& b) {
    return a.count != b.count ? a.count > b.count : a.index < b.index;
  });
  std::vector<FeatureId> places;
  for (const FeatureFrequency& feature : features) places.push_back(table.feature_numbers.find(feature.index));
  if (table.names) table.names->expect(places);
  for (std::size_t k = 0; k < features.size(); ++k) features[k].name = table.feature_name(places[k]);
  return features;
}

// How many forms of features may be held to compare them: the most frequent ones.
std::size_t grouped(const Engine& engine, std::size_t features, const Context& context) {
  constexpr std::int64_t kMost = 1000;  // half a million pairs
  const std::int64_t fit = plan_memory(engine.shape(), 0, context).candidates / 2 / factor_bytes(engine.samples());
  return std::min(features, static_cast<std::size_t>(std::clamp<std::int64_t>(fit, 1, kMost)));
}

// Near copies share what one of them would have had.
void add_groups(Engine& engine, WorkerPool& pool, const Table& table, const KernelOptions& options,
                const Context& context, std::int64_t selections, std::vector<FeatureFrequency>& features) {
  const std::size_t count = grouped(engine, features.size(), context);
  std::vector<FeatureId> places;
  for (std::size_t k = 0; k < count; ++k) places.push_back(table.feature_numbers.find(features[k].index));
  const auto blocks = engine.fetch(places);
  const Kernels kernels(options);
  std::vector<KernelForm> forms(count);
  std::vector<double> own(count, 0.0);  // R with itself
  pool.run(static_cast<std::int64_t>(count), [&](std::int64_t item, int) {
    context.check_stop();
    const auto k = static_cast<std::size_t>(item);
    if (blocks[k]->headers.front().constant) return;
    forms[k] = kernels.form(blocks[k]->view(0));
    own[k] = redundancy(forms[k], forms[k]);
  });
  std::vector<std::vector<std::size_t>> near(count);
  pool.run(static_cast<std::int64_t>(count), [&](std::int64_t item, int) {
    context.check_stop();
    const auto k = static_cast<std::size_t>(item);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == k || own[k] <= 0.0 || own[i] <= 0.0) continue;
      // The lower one first, as everywhere.
      const auto [a, b] = std::minmax(i, k);
      if (redundancy(forms[a], forms[b]) > kNearCopy * std::sqrt(own[a] * own[b])) near[k].push_back(i);
    }
  });
  for (std::size_t k = 0; k < count; ++k) {
    std::int64_t sum = features[k].count;
    for (const std::size_t i : near[k]) {
      sum += features[i].count;
      features[k].group.push_back(features[i].index);
      features[k].group_names.push_back(features[i].name);
    }
    features[k].group_frequency = static_cast<double>(sum) / static_cast<double>(selections);
  }
}

void set_threshold(Stability& result) {
  const StabilityOptions& options = result.options;
  const auto threshold = choose_threshold(options.pairs, result.mean_selected, result.data.features, options.max_false);
  if (!threshold) {
    result.warnings.push_back(fmt::format(
        "no threshold keeps the expected number of rarely selected features at {} or below: no feature is called "
        "stable; select fewer from each half ({}), or allow more ({})",
        options.max_false, option("features"), option("max-false")));
    return;
  }
  result.threshold = static_cast<double>(threshold->count) / static_cast<double>(result.selections);
  result.bound = threshold->bound;
  for (FeatureFrequency& feature : result.features) feature.stable = feature.count >= threshold->count;
}

Stability find_stable_unchecked(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                                const StabilityOptions& options, const Context& context) {
  use_simd_target_of_environment();
  Stopwatch watch;
  Stability result = describe(table, target, options);
  warn_of_rare_classes(target, result.warnings);
  SelectOptions asked = options.select;
  asked.features = result.asked;
  engine.allow({0, plan_memory(engine.shape(), result.asked, context).window});
  std::unordered_map<std::int64_t, std::int64_t> counts;
  std::int64_t selected = 0;
  SubsetWarnings warnings(result.warnings);
  select_each(engine, pool, table, halves_of(table, target, options), {&asked, 1}, context,
              [&](std::size_t half, std::size_t, const Result& found) {
                warnings.add(half, found.warnings);
                for (const SelectedFeature& feature : found.selected) ++counts[feature.index];
                selected += std::ssize(found.selected);
              });
  for (std::string& warning : warnings.list(static_cast<std::size_t>(result.selections), "halves")) {
    result.warnings.push_back(std::move(warning));
  }
  result.mean_selected = static_cast<double>(selected) / static_cast<double>(result.selections);
  result.features = frequencies_of(counts, table, result.selections);
  add_groups(engine, pool, table, adjusted(asked).kernel, context, result.selections, result.features);
  set_threshold(result);
  result.seconds.total = watch.lap();
  return result;
}

}  // namespace

Stability find_stable(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                      const StabilityOptions& options, const Context& context) {
  validate(options);
  check_methods({&options.select.method, 1}, options.select);
  check_sizes(table, target);
  return if_unchanged(table.files,
                      [&] { return find_stable_unchecked(engine, pool, table, target, options, context); });
}

}  // namespace land
