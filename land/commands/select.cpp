#include "land/commands/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "land/advice/covariate_warnings.h"
#include "land/advice/single_samples.h"
#include "land/advice/target_warnings.h"
#include "land/base/checksum.h"
#include "land/base/option.h"
#include "land/base/simd_target.h"
#include "land/base/stopwatch.h"
#include "land/base/version.h"
#include "land/base/worker_pool.h"
#include "land/commands/nearest_features.h"
#include "land/copies/copies.h"
#include "land/copies/identical.h"
#include "land/data/check_data.h"
#include "land/engine/scored_parts.h"
#include "land/files/files_in_use.h"
#include "land/inference/permute.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/method.h"
#include "land/pairs/candidates.h"
#include "land/pairs/memory_plan.h"

namespace land {
namespace {

// Target, scores and engine of one selection, and the exact values that a method asks for.
struct Pipeline {
  Pipeline(Engine& held_by, WorkerPool& threads, const Target& target, const SelectOptions& options,
           const Context& context)
      : engine(held_by),
        pool(threads),
        job(with_scorer({.against = std::make_shared<Target>(target),
                         .kernel = options.kernel,
                         .last = engine.features(),
                         .wanted = options.features})),
        // What is left, now that all is made of the target. The textbook path uses all features.
        memory(plan_memory(engine.shape(), options.plain_path ? engine.features() : options.features, context)) {
    engine.allow({memory.likely, memory.window});
    if (options.kernel.factor != FactorKind::kFull) return;
    // The target's matrix, and two more.
    const std::int64_t n = engine.samples();
    const std::int64_t needed = 3 * n * n * static_cast<std::int64_t>(sizeof(double));
    if (needed > memory.candidates) {
      constexpr std::int64_t kMegabyte = 1 << 20;
      throw InputError(fmt::format("{}: three matrices of {} x {} take {}M, which do not fit {}", option("exact"), n, n,
                                   needed / kMegabyte,
                                   context.memory > 0 ? option("memory") : "this machine's memory"));
    }
    memory.factors = memory.candidates - needed / 3;
    target_kernel = Kernels(options.kernel).full(target);
  }

  // A fresh view of f and R. It takes no value from any other, except products that it has put to the test.
  std::unique_ptr<Candidates> pairs(const SelectOptions& options, const Context& context, const KeptProducts* claims) {
    return make_candidates(engine, pool, context, scores, job.scorer->form(), target_kernel ? &*target_kernel : nullptr,
                           options.kernel, memory, claims);
  }

  // What a method is given: `bounds` of the features it may choose from.
  Setting setting(const SelectOptions& options, const Context& context, const Table& table, const Target& target,
                  std::span<const double> bounds) {
    return {options,
            context,
            engine,
            pool,
            target,
            memory.candidates,
            bounds,
            [this, &options, &context](const KeptProducts* claims) { return pairs(options, context, claims); },
            std::ssize(table.nominal.features),
            least_lambda};
  }

  Engine& engine;
  WorkerPool& pool;
  ScoreJob job;
  MemoryPlan memory;
  std::optional<FullKernel> target_kernel;
  Scores scores;
  std::optional<Permuted> permuted;
  double least_lambda = 0.0;
};

// What the options say of covariates, and what these leave of the target.
void describe_adjustment(const Table& table, const Target& target, Result& result) {
  const KernelOptions& kernel = result.options.kernel;
  if (!kernel.adjustment) return;
  TargetLeft left = target_left(target, kernel);
  Result::AdjustmentSummary summary;
  for (const Adjustment::Covariate& covariate : kernel.adjustment->covariates) {
    summary.covariates.push_back({covariate.name, covariate.levels});
  }
  summary.columns = kernel.adjustment->columns();
  if (kernel.adjustment->has_strata()) summary.strata = std::ssize(kernel.adjustment->stratum_names);
  summary.target_left = left.share;
  summary.matching = table.covariate_matching;
  result.adjustment = std::move(summary);
  for (std::string& warning : left.warnings) result.warnings.push_back(std::move(warning));
}

Result describe(const Table& table, const Target& target, const SelectOptions& options) {
  Result result;
  result.version = version();
  result.options = options;
  result.data.path = table.path;
  result.data.features = table.features();
  result.data.samples = table.samples();
  result.data.nominal_features = std::ssize(table.nominal.features);
  result.data.id_column = table.id_column_name;
  result.data.matching = table.matching;
  result.data.left_out = table.left_out;
  result.target = summary_of(target);
  result.warnings = table.warnings;
  for (std::string& warning : target_warnings(target, table)) result.warnings.push_back(std::move(warning));
  result.warnings.insert(result.warnings.end(), target.warnings.begin(), target.warnings.end());
  describe_adjustment(table, target, result);
  return result;
}

// Copies among the features, if they are to be left out and there are any; and what else is known after the scoring.
std::optional<Copies> look_for_copies(bool leave_out, Pipeline& pipeline, Result& result) {
  const Scores& scores = pipeline.scores;
  const bool is_signed = !scores.signatures.empty();
  std::vector<std::uint64_t> signatures;
  if (!is_signed && leave_out) signatures = sign_likely_copies(scores, pipeline.engine);
  // With a million features this is worth a thread each.
  std::optional<Copies> copies;
  pipeline.pool.run(2, [&](std::int64_t item, int) {
    if (item == 0) {
      if (is_signed || leave_out) copies.emplace(is_signed ? scores.signatures : signatures);
      return;
    }
    result.data.constant_features = scores.constant();
    result.data.fingerprint = fmt::format("{:016x}", fingerprint_of(result.data.samples, scores.checksums));
  });
  if (is_signed) result.data.distinct_features = copies->distinct();
  if (copies && (!leave_out || copies->count() == 0)) copies.reset();
  if (copies) result.work.features_copied = copies->count();
  return copies;
}

void expect_names(const Table& table, std::span<const FeatureId> features) {
  if (table.names) table.names->expect(features);
}

// With their numbers in the file.
void name_explained(const Table& table, const Scores& scores, Result& result) {
  if (!result.adjustment) return;
  const std::vector<FeatureId> features = scores.explained();
  expect_names(table, features);
  std::vector<std::string> names;
  for (const FeatureId feature : features) {
    names.push_back(table.feature_name(feature));
    result.adjustment->explained.push_back({table.feature_numbers[feature], names.back()});
  }
  for (std::string& warning : explained_warnings(names)) result.warnings.push_back(std::move(warning));
}

void name_features(const Table& table, std::vector<SelectedFeature>& features) {
  for (SelectedFeature& feature : features) feature.name = table.feature_name(feature.index);
}

void add_neighbors(const Table& table, const Context& context, Pipeline& pipeline, Candidates& pairs, Result& result) {
  if (result.options.neighbors == 0) return;
  std::vector<FeatureId> ids;
  for (const SelectedFeature& feature : result.selected) ids.push_back(feature.index);
  const std::vector<NearestFeatures> nearest =
      nearest_features(ids, result.options.neighbors, pipeline.engine, pairs, result.options.kernel, context);
  std::vector<FeatureId> found;
  for (const NearestFeatures& features : nearest) {
    for (const auto& [id, redundancy] : features) found.push_back(id);
  }
  expect_names(table, found);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    for (const auto& [id, redundancy] : nearest[t]) {
      result.selected[t].neighbors.push_back({id, table.feature_name(id), redundancy});
    }
  }
}

// What is told about the selected features, whatever the method.
void describe_selected(const Table& table, const Target& target, const Method& method, const Copies* copies,
                       const Context& context, Pipeline& pipeline, Candidates& pairs, Result& result) {
  name_features(table, result.selected);
  name_features(table, result.dropped);
  if (!method.touched().empty()) {
    find_identical(method.touched(), copies, pairs, result.selected);
    find_identical(method.touched(), copies, pairs, result.dropped);
  }
  result.factor = {pairs.largest_residual(), pairs.mean_columns()};
  for (std::string& warning : single_sample_warnings(table, target, result.options.kernel, result.selected, pairs)) {
    result.warnings.push_back(std::move(warning));
  }
  add_neighbors(table, context, pipeline, pairs, result);
}

// --- What chance would do --------------------------------------------------------------------------------------------

void run_permutations(const Target& target, const SelectOptions& options, const Context& context, Pipeline& pipeline) {
  if (options.permutations == 0) return;
  const auto& relevance = pipeline.scores.relevance;
  pipeline.permuted.emplace(permute(pipeline.engine, target, options.kernel,
                                    {.permutations = options.permutations,
                                     .seed = options.seed,
                                     .features = options.features,
                                     .largest_relevance = *std::max_element(relevance.begin(), relevance.end())},
                                    context));
  if (!options.automatic) return;
  const Permuted& permuted = *pipeline.permuted;
  pipeline.least_lambda = permuted.chance.threshold(options.alpha);
  // If it ended early, chance has come farther than all features, and more often than alpha allows.
  if (std::isinf(pipeline.least_lambda) && permuted.ended_early) pipeline.least_lambda = permuted.chance.above_all();
  if (std::isinf(pipeline.least_lambda)) {
    throw InputError(fmt::format("{}: {} permutations cannot show so little chance: {} at least are needed",
                                 option("alpha", options.alpha), permuted.chance.permutations(),
                                 static_cast<std::int64_t>(std::ceil(1.0 / options.alpha)) - 1));
  }
}

void describe_chance(const Pipeline& pipeline, Result& result) {
  if (!pipeline.permuted) return;
  const Permuted& permuted = *pipeline.permuted;
  const Chance& chance = permuted.chance;
  for (SelectedFeature& feature : result.selected) {
    feature.p_fwer = chance.p_fwer(feature.relevance);
    feature.expected_by_chance = chance.expected(feature.relevance);
    feature.q = chance.q(feature.relevance);
  }
  result.permutations = {chance.permutations(),  permuted.distinct,     permuted.are_all,
                         permuted.within_strata, permuted.approximate,  permuted.ended_early,
                         chance.largest(),       chance.p_of_largest(), {}};
  if (result.options.automatic) result.permutations->least_lambda = pipeline.least_lambda;
  result.warnings.insert(result.warnings.end(), permuted.warnings.begin(), permuted.warnings.end());
}

// From the numbers that features have among those used to those in the file, with names.
void use_numbers_of_file(const Table& table, Result& result) {
  const FileNumbers& numbers = table.feature_numbers;
  std::vector<FeatureId> identical;
  for (const auto* features : {&result.selected, &result.dropped}) {
    for (const SelectedFeature& feature : *features) {
      identical.insert(identical.end(), feature.identical.begin(), feature.identical.end());
    }
  }
  expect_names(table, identical);
  const auto renumber = [&](std::vector<SelectedFeature>& features) {
    for (SelectedFeature& feature : features) {
      feature.index = numbers[feature.index];
      for (std::int64_t& id : feature.identical) {
        feature.identical_names.push_back(table.feature_name(id));
        id = numbers[id];
      }
      for (SelectedFeature::Neighbor& neighbor : feature.neighbors) neighbor.index = numbers[neighbor.index];
    }
  };
  renumber(result.selected);
  renumber(result.dropped);
  for (PathStep& step : result.path) {
    if (step.index) step.index = numbers[*step.index];
    for (auto& [id, alpha] : step.coefficients) id = numbers[id];
  }
}

void add_warnings(Result& result) {
  if (result.data.constant_features > 0) {
    const std::int64_t count = result.data.constant_features;
    result.warnings.push_back(count == 1 ? "1 constant feature was left out"
                                         : fmt::format("{} constant features were left out", count));
  }
  if (result.certificate && !result.certificate->valid) {
    result.warnings.emplace_back("the certificate failed: please report this with the data, if you can");
  }
}

// Chooses and certifies. Returns nothing if features were left out as copies that turn out to be none.
std::optional<Result> choose(const Table& table, const Target& target, bool leave_out_copies, Pipeline& pipeline,
                             const Context& context, Result result) {
  Stopwatch watch;
  const std::unique_ptr<Method> method = find_method(result.options.method).make();
  const std::optional<Copies> copies =
      look_for_copies(leave_out_copies && method->leaves_out_copies(result.options), pipeline, result);
  std::vector<double> others;
  if (copies) others = without_copies(*copies, pipeline.scores.relevance);
  const SelectOptions& options = result.options;
  const Setting setting =
      pipeline.setting(options, context, table, target, copies ? others : std::span(pipeline.scores.relevance));

  std::unique_ptr<const KeptProducts> products;
  {
    const std::unique_ptr<Candidates> pairs = setting.pairs(nullptr);
    method->choose(setting, *pairs, result);
    describe_selected(table, target, *method, copies ? &*copies : nullptr, context, pipeline, *pairs, result);
    products = pairs->take_products();
  }
  if (copies && !copies_hold(*copies, method->touched(), method->least_relevance(), pipeline.scores, pipeline.engine,
                             pipeline.pool, pipeline.memory.candidates / 4)) {
    return std::nullopt;
  }
  result.seconds.path = watch.lap();

  method->certify(setting, products.get(), result);
  if (copies && result.certificate) count_copies(*copies, method->touched(), result.selected, *result.certificate);
  if (result.certificate) result.seconds.certify = watch.lap();
  return result;
}

Result select_unchecked(Engine& engine, WorkerPool& pool, const Table& table, const Target& target,
                        const SelectOptions& options, const Context& context, const Scores* given) {
  use_simd_target_of_environment();
  check_sizes(table, target);
  Stopwatch total;
  Stopwatch watch;
  Result described = describe(table, target, options);

  Pipeline pipeline(engine, pool, target, options, context);
  check_adjustable(options);
  const std::unique_ptr<Method> method = find_method(options.method).make();
  if (options.automatic && !method->has_lambda()) {
    throw InputError(fmt::format("{}: only a path of kernels tells where chance begins: give a number, or take {}",
                                 option("features", std::string_view("auto")),
                                 option("method", std::string_view("land"))));
  }
  method->check(pipeline.setting(options, context, table, target, {}));
  pipeline.scores = given != nullptr ? *given : score_job(engine, pipeline.job, context);
  table.check_missing(options.kernel.missing, pipeline.scores.missing, pipeline.scores.first_missing);
  described.data.missing_values = pipeline.scores.missing;
  described.work.features_scored = described.data.features;
  name_explained(table, pipeline.scores, described);
  described.seconds.score = watch.lap();
  run_permutations(target, options, context, pipeline);
  described.seconds.permute = watch.lap();

  std::optional<Result> result;
  for (bool leave_out_copies = true; !result; leave_out_copies = false) {
    result = choose(table, target, leave_out_copies, pipeline, context, described);
  }
  describe_chance(pipeline, *result);
  use_numbers_of_file(table, *result);
  add_warnings(*result);
  const EngineWork work = engine.work();
  result->engine = {work.name, work.workers, work.jobs, work.bytes_moved, work.seconds};
  result->seconds.total = total.lap();
  return std::move(*result);
}

// What is kept of each target until its turn comes: the scores of all features, and its factor. A quarter of the memory
// is for it.
std::int64_t targets_together(const Shape& shape, const SelectOptions& options, const Context& context) {
  constexpr std::int64_t kBytes = 32;  // of the scores of a feature
  const std::int64_t each = kBytes * shape.features + 2 * stored_factor_bytes(shape.samples);
  return std::max<std::int64_t>(plan_memory(shape, options.features, context).candidates / 4 / each, 1);
}

std::vector<Scores> score_all(Engine& engine, const Table& table, std::span<const Target> targets,
                              const SelectOptions& options, const Context& context) {
  const MemoryPlan memory = plan_memory(engine.shape(), options.features, context);
  engine.allow({memory.likely, memory.window});
  std::vector<ScoreJob> jobs;
  for (const Target& target : targets) {
    check_sizes(table, target);
    jobs.push_back({.against = std::make_shared<Target>(target),
                    .kernel = options.kernel,
                    .last = engine.features(),
                    .wanted = options.features});
  }
  return if_unchanged(table.files, [&] { return score_jobs(engine, jobs, context); });
}

}  // namespace

Result select(Engine& engine, WorkerPool& pool, const Table& table, const Target& target, const SelectOptions& options,
              const Context& context, const Scores* scores) {
  const SelectOptions adjusted = land::adjusted(options);
  validate(adjusted);
  return if_unchanged(table.files,
                      [&] { return select_unchecked(engine, pool, table, target, adjusted, context, scores); });
}

std::vector<Result> select(Engine& engine, WorkerPool& pool, const Table& table, std::span<const Target> targets,
                           const SelectOptions& options, const Context& context) {
  const SelectOptions adjusted = land::adjusted(options);
  validate(adjusted);
  use_simd_target_of_environment();
  std::vector<Result> results;
  const std::int64_t together = targets_together(engine.shape(), adjusted, context);
  for (std::size_t first = 0; first < targets.size(); first = results.size()) {
    const auto batch = targets.subspan(first, std::min(static_cast<std::size_t>(together), targets.size() - first));
    Stopwatch watch;
    std::vector<Scores> scores = score_all(engine, table, batch, adjusted, context);
    const double share = watch.lap() / static_cast<double>(batch.size());
    for (std::size_t t = 0; t < batch.size(); ++t) {
      Result& result = results.emplace_back(select(engine, pool, table, batch[t], adjusted, context, &scores[t]));
      scores[t] = {};
      result.seconds.score += share;
      result.seconds.total += share;
    }
  }
  return results;
}

}  // namespace land
