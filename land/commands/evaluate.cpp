#include "land/commands/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "land/base/checksum.h"
#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/stopwatch.h"
#include "land/base/version.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/commands/select_each.h"
#include "land/data/check_data.h"
#include "land/engine/local_run.h"
#include "land/files/files_in_use.h"
#include "land/judging/folds.h"
#include "land/judging/independence.h"
#include "land/judging/judged_column.h"
#include "land/judging/set_dependence.h"
#include "land/judging/sets.h"
#include "land/methods/method.h"
#include "land/pairs/memory_plan.h"

namespace land {
namespace {

// Of several widths, the middle one: the judge has one.
double judging_width(const KernelOptions& kernel) { return kernel.sigma[kernel.sigma.size() / 2]; }

Evaluation describe(const Table& table, const Target& target) {
  Evaluation evaluation;
  evaluation.version = version();
  evaluation.data = {table.path, table.features(), table.samples()};
  evaluation.target = summary_of(target);
  evaluation.warnings = table.warnings;
  evaluation.warnings.insert(evaluation.warnings.end(), target.warnings.begin(), target.warnings.end());
  return evaluation;
}

double reduction(std::size_t selected, std::int64_t features) {
  return 1.0 - static_cast<double>(selected) / static_cast<double>(features);
}

// As `land select` has it.
std::string fingerprint_in_words(Engine& engine) {
  std::vector<FeatureId> all(static_cast<std::size_t>(engine.features()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::uint32_t> checksums(all.size());
  engine.visit(all, [&](std::size_t k, const FeatureView& feature) { checksums[k] = feature.header->checksum; });
  return fmt::format("{:016x}", fingerprint_of(engine.samples(), checksums));
}

std::vector<JudgedColumn> columns_of(Engine& engine, const Table& table, std::span<const FeatureId> features,
                                     Missing missing) {
  std::vector<JudgedColumn> columns;
  std::size_t at = 0;
  for (const auto& block : engine.fetch(features)) {
    const FeatureView feature = block->view(0);
    table.check_missing(missing, feature.header->missing, features[at++]);
    columns.push_back(judged_column(feature));
  }
  return columns;
}

JudgedSelection judge_one(const GivenSelection& selection, bool same_table, Engine& engine, WorkerPool& pool,
                          const Table& table, const Target& target, const KernelOptions& kernel,
                          const Context& context) {
  const std::vector<FeatureId> places = find_selected(selection, table, same_table);
  const std::vector<JudgedColumn> columns = columns_of(engine, table, places, kernel.missing);
  JudgedSelection judged{selection.source, selection.method, same_table, {}, {}};
  for (const FeatureId place : places) judged.indices.push_back(table.feature_numbers[place]);
  judged.metrics = {reduction(places.size(), table.features()), independence_rate(columns, pool, context),
                    set_dependence(columns, target, judging_width(kernel), pool, context)};
  return judged;
}

// --- methods over folds ------------------------------------------------------------------------------------------

void check_training(const Table& table, const Target& training, std::size_t number, const FoldOptions& folds) {
  if (training.size() >= kFewestSamples && !has_one_value(training)) return;
  throw InputError(
      fmt::format("{}: {}: the {} samples outside of fold {} are too few, or have one value of the target only; take "
                  "another number of folds, or leave out rare classes",
                  table.path, option("folds", folds.folds), training.size(), number + 1));
}

// What the methods are asked: the largest m, from which the others are cut; or each, where the selection of fewer is
// another one. `features` rises.
std::vector<SelectOptions> asked_of_methods(const EvaluateOptions& options) {
  std::vector<SelectOptions> asked;
  for (const std::string& method : options.methods) {
    for (const std::int64_t m : options.features) {
      if (find_method(method).nested && m < options.features.back()) continue;
      asked.push_back(options.select);
      asked.back().method = method;
      asked.back().features = m;
    }
  }
  return asked;
}

// Adds the sets that a selection has to those of its method, if it is not the first.
void add_sets(const Result& result, const std::vector<std::int64_t>& features, std::vector<MethodRun>& runs) {
  if (runs.empty() || runs.back().method != result.options.method) runs.push_back({result.options.method, 0.0, {}});
  runs.back().seconds = result.seconds.total;
  for (const std::int64_t m : features) {
    const bool is_asked = m == result.options.features;
    if (!is_asked && !find_method(result.options.method).nested) continue;
    runs.back().sets.push_back({m, cut_to(result, m), 1.0, std::nullopt});
  }
}

// Everything that any of the sets has, once.
std::vector<std::int64_t> used_in(const MethodRun& run) {
  std::vector<std::int64_t> used;
  for (const ChosenSet& set : run.sets) used.insert(used.end(), set.indices.begin(), set.indices.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

// Independence by the training part, dependence by the held-out one.
void judge_sets(LocalRun& whole, const Table& table, const Target& target, const Split& split,
                const EvaluateOptions& options, const Context& context, MethodRun& run) {
  const KernelOptions& kernel = options.select.kernel;
  const std::vector<std::int64_t> used = used_in(run);
  std::vector<FeatureId> places;
  for (const std::int64_t number : used) places.push_back(table.feature_numbers.find(number));
  const std::vector<JudgedColumn> columns = columns_of(whole.engine, table, places, kernel.missing);
  const std::vector<std::int64_t> training = others(split.held_out, table.samples());
  const Target held_out = part_of(target, split.held_out);
  for (ChosenSet& set : run.sets) {
    std::vector<JudgedColumn> trained;
    std::vector<JudgedColumn> unseen;
    for (const std::int64_t number : set.indices) {
      const auto at = static_cast<std::size_t>(std::lower_bound(used.begin(), used.end(), number) - used.begin());
      trained.push_back(part_of(columns[at], training));
      unseen.push_back(part_of(columns[at], split.held_out));
    }
    set.independence = independence_rate(trained, whole.pool, context);
    set.dependence = set_dependence(unseen, held_out, judging_width(kernel), whole.pool, context);
  }
}

MeanOverSplits mean_of(const std::vector<double>& values) {
  MeanOverSplits result;
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  result.mean = sum / count;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double value : values) squares += (value - *result.mean) * (value - *result.mean);
  result.error = std::sqrt(squares / (count - 1.0) / count);
  return result;
}

MethodSummary summary_of(const Evaluation& evaluation, std::size_t method, std::size_t at) {
  MethodSummary summary;
  summary.method = evaluation.options.methods[method];
  summary.m = evaluation.options.features[at];
  std::vector<std::vector<std::int64_t>> sets;
  std::vector<double> independence;
  std::vector<double> dependence;
  for (const SplitRuns& split : evaluation.splits) {
    const MethodRun& run = split.runs[method];
    const ChosenSet& set = run.sets[at];
    sets.push_back(set.indices);
    independence.push_back(set.independence);
    if (set.dependence) dependence.push_back(*set.dependence);
    summary.selected += static_cast<double>(set.indices.size());
    summary.seconds += run.seconds;
  }
  const auto splits = static_cast<double>(evaluation.splits.size());
  summary.selected /= splits;
  summary.reduction = 1.0 - summary.selected / static_cast<double>(evaluation.data.features);
  summary.seconds /= splits;
  summary.independence = mean_of(independence);
  summary.dependence = mean_of(dependence);
  summary.stability = stability(sets);
  return summary;
}

Evaluation cross_validate_unchecked(const Table& table, const Target& target, const EvaluateOptions& options,
                                    const Context& context) {
  Stopwatch watch;
  Evaluation evaluation = describe(table, target);
  evaluation.options = options;
  evaluation.covariates = covariate_names(options.select.kernel);
  evaluation.over_folds = true;
  for (std::string& warning : fold_warnings(target, options.folds)) evaluation.warnings.push_back(std::move(warning));
  const std::vector<Split> splits = make_splits(target, options.folds);
  std::vector<SampleSubset> training;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    auto samples = std::make_shared<const SampleNumbers>(others(splits[s].held_out, table.samples()));
    Target part = part_of(target, *samples);
    check_training(table, part, s, options.folds);
    training.push_back({std::move(samples), std::move(part), fmt::format("fold {} of {}", s + 1, splits.size())});
    SplitRuns& runs = evaluation.splits.emplace_back(splits[s].repeat, splits[s].fold);
    for (const std::int64_t sample : splits[s].held_out) runs.held_out.push_back(table.sample_numbers[sample]);
  }
  LocalRun whole(table, options.select.kernel.missing, options.select.block_size, context);
  whole.engine.allow({0, plan_memory(whole.engine.shape(), 0, context).window});
  SubsetWarnings warnings(evaluation.warnings);
  select_each(whole.engine, whole.pool, table, training, asked_of_methods(options), context,
              [&](std::size_t split, std::size_t, const Result& result) {
                warnings.add(split, result.warnings);
                add_sets(result, options.features, evaluation.splits[split].runs);
              });
  for (std::size_t split = 0; split < splits.size(); ++split) {
    for (MethodRun& run : evaluation.splits[split].runs) {
      judge_sets(whole, table, target, splits[split], options, context, run);
    }
  }
  for (std::string& warning : warnings.list(splits.size(), "folds")) evaluation.warnings.push_back(std::move(warning));
  for (std::size_t method = 0; method < options.methods.size(); ++method) {
    for (std::size_t at = 0; at < options.features.size(); ++at) {
      evaluation.summary.push_back(summary_of(evaluation, method, at));
    }
  }
  evaluation.seconds.total = watch.lap();
  return evaluation;
}

}  // namespace

Evaluation judge(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                 std::span<const GivenSelection> selections, const SelectOptions& options, const Context& context) {
  validate(options);
  check_sizes(table, target);
  return if_unchanged(table.files, [&] {
    Stopwatch watch;
    Evaluation evaluation = describe(table, target);
    evaluation.options.select = options;
    engine.allow({0, plan_memory(engine.shape(), 0, context).window});
    const std::string fingerprint = fingerprint_in_words(engine);
    for (const GivenSelection& selection : selections) {
      const bool same_table = selection.fingerprint == fingerprint;
      evaluation.selections.push_back(
          judge_one(selection, same_table, engine, pool, table, target, options.kernel, context));
      if (same_table) continue;
      evaluation.warnings.push_back(
          fmt::format("{} was selected from other values, of {}: its features were looked up by their names",
                      selection.source, selection.table));
    }
    evaluation.seconds.total = watch.lap();
    return evaluation;
  });
}

Evaluation cross_validate(const Table& table, const Target& target, const EvaluateOptions& options,
                          const Context& context) {
  EvaluateOptions checked = options;
  std::sort(checked.features.begin(), checked.features.end());
  validate(checked);
  check_methods(checked.methods, checked.select, "methods");
  check_sizes(table, target);
  return if_unchanged(table.files, [&] { return cross_validate_unchecked(table, target, checked, context); });
}

}  // namespace land
