#include "land/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>

#include "land/blocks/checksum.h"
#include "land/check_data.h"
#include "land/copies.h"
#include "land/engine/candidates.h"
#include "land/engine/local_engine.h"
#include "land/engine/memory_plan.h"
#include "land/engine/worker_pool.h"
#include "land/files_in_use.h"
#include "land/identical.h"
#include "land/kernels/factor.h"
#include "land/kernels/full_kernel.h"
#include "land/kernels/scorer.h"
#include "land/kernels/simd_target.h"
#include "land/maximum_relevance.h"
#include "land/nearest_features.h"
#include "land/path/certificate.h"
#include "land/path/path.h"
#include "land/single_samples.h"
#include "land/target_warnings.h"
#include "land/version.h"

namespace land {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Target, scores and engine of one selection, and the exact values the path asks for.
struct Pipeline {
  Pipeline(const Table& table, const Target& target, const SelectOptions& options, const Context& context)
      : source(table.source(options.kernel.missing)),
        pool(context.threads),
        target_factor(make_factor(target, options.kernel)),
        // The textbook path uses all features.
        memory(plan_memory(*source, options.plain_path ? source->features() : options.features, context)),
        engine(*source, pool, context, {options.block_size, options.features, memory.likely, memory.window}),
        scorer(target, target_factor, options.kernel) {
    if (options.kernel.factor != FactorKind::kFull) return;
    // The target's matrix, and two more.
    const std::int64_t n = source->samples();
    const std::int64_t needed = 3 * n * n * static_cast<std::int64_t>(sizeof(double));
    if (needed > memory.candidates) {
      constexpr std::int64_t kMegabyte = 1 << 20;
      throw InputError(fmt::format("--exact: three matrices of {} x {} take {}M, which do not fit {}", n, n,
                                   needed / kMegabyte, context.memory > 0 ? "--memory" : "this machine's memory"));
    }
    memory.factors = memory.candidates - needed / 3;
    target_kernel = make_full_kernel(target, options.kernel);
  }

  // A fresh view of f and R. It takes no value from any other, except products that it has put to the test.
  Candidates candidates(const SelectOptions& options, const Context& context, const KeptProducts* claims = nullptr) {
    return {engine,         pool,   context, scores, target_factor, target_kernel ? &*target_kernel : nullptr,
            options.kernel, memory, claims};
  }

  std::shared_ptr<const FeatureSource> source;
  WorkerPool pool;
  Factor target_factor;
  MemoryPlan memory;
  LocalEngine engine;
  std::optional<FullKernel> target_kernel;
  Scorer scorer;
  Scores scores;
};

void describe(const Table& table, const Target& target, const SelectOptions& options, Result& result) {
  result.version = version();
  result.options = options;
  result.data.path = table.path;
  result.data.features = table.features();
  result.data.samples = table.samples();
  result.data.nominal_features = std::ssize(table.nominal);
  result.data.id_column = table.id_column_name;
  result.data.matching = table.matching;
  result.data.left_out = table.left_out;
  result.target.name = target.name;
  result.target.task = target.task;
  result.target.classes = target.class_names;
}

void record_path(const Path& path, Result& result) {
  for (const Knot& knot : path.knots) {
    PathStep step;
    step.lambda = knot.lambda;
    step.event = knot.event == PathEvent::kEnter  ? PathStep::Event::kEnter
                 : knot.event == PathEvent::kDrop ? PathStep::Event::kDrop
                                                  : PathStep::Event::kEnd;
    if (knot.feature >= 0) step.index = knot.feature;
    step.coefficients = knot.coefficients;
    result.path.push_back(std::move(step));
  }
  result.stopped = to_string(path.stop);
  result.lambda = path.knots.back().lambda;
}

// Those active at the end, in order of (last) entry.
void record_selected(const Table& table, const Path& path, Candidates& candidates, Result& result) {
  std::vector<FeatureId> ids;
  for (const auto& [id, alpha] : path.knots.back().coefficients) {
    SelectedFeature feature;
    feature.index = id;
    feature.name = table.feature_name(id);
    feature.coefficient = alpha;
    for (const Knot& knot : path.knots) {
      if (knot.event == PathEvent::kEnter && knot.feature == id) feature.lambda_entered = knot.lambda;
    }
    ids.push_back(id);
    result.selected.push_back(std::move(feature));
  }
  std::vector<double> relevance(ids.size());
  candidates.relevance(ids, relevance);
  for (std::size_t t = 0; t < ids.size(); ++t) result.selected[t].relevance = relevance[t];

  std::vector<PairRequest> pairs;
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) pairs.push_back({ids[a], ids[b], candidates.stages()});
  }
  std::vector<double> values(pairs.size());
  candidates.evaluate(pairs, values);
  result.redundancy.assign(ids.size(), std::vector<double>(ids.size()));
  std::size_t at = 0;
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) result.redundancy[a][b] = result.redundancy[b][a] = values[at++];
  }
}

void record_dropped(const Table& table, const Path& path, Candidates& candidates, Result& result) {
  std::set<FeatureId> ids;
  for (const Knot& knot : path.knots) {
    if (knot.event == PathEvent::kEnter) ids.insert(knot.feature);
  }
  for (const SelectedFeature& feature : result.selected) ids.erase(feature.index);
  std::vector<FeatureId> others;
  for (const SelectedFeature& feature : result.selected) others.push_back(feature.index);
  for (const FeatureId id : ids) {
    others.push_back(id);
    std::vector<PairRequest> pairs;
    for (const FeatureId other : others) pairs.push_back({id, other, candidates.stages()});
    candidates.evaluate(pairs, result.dropped_redundancy.emplace_back(pairs.size()));
    SelectedFeature feature{id, table.feature_name(id), 0.0, std::nullopt, std::nullopt, {}};
    candidates.relevance({&id, 1}, {&feature.relevance, 1});
    result.dropped.push_back(std::move(feature));
  }
}

// Copies that were left out beforehand are identical, too.
void add_copies(const Copies& copies, std::vector<SelectedFeature>& selected) {
  for (SelectedFeature& feature : selected) {
    std::vector<std::int64_t> all = feature.identical;
    for (const std::int64_t id : feature.identical) {
      for (const FeatureId copy : copies.of(id)) all.push_back(copy);
    }
    for (const FeatureId copy : copies.of(feature.index)) all.push_back(copy);
    std::sort(all.begin(), all.end());
    feature.identical = std::move(all);
  }
}

void add_single_samples(const Table& table, const Target& target, const SelectOptions& options, Candidates& candidates,
                        Result& result) {
  for (std::string& warning : single_sample_warnings(table, target, options.kernel, result.selected, candidates)) {
    result.warnings.push_back(std::move(warning));
  }
}

void add_neighbors(const Table& table, const SelectOptions& options, Pipeline& pipeline, Candidates& candidates,
                   Result& result) {
  if (options.neighbors == 0) return;
  std::vector<FeatureId> ids;
  for (const SelectedFeature& feature : result.selected) ids.push_back(feature.index);
  const std::vector<NearestFeatures> nearest =
      nearest_features(ids, options.neighbors, pipeline.engine, pipeline.pool, candidates, options.kernel);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    for (const auto& [id, redundancy] : nearest[t]) {
      result.selected[t].neighbors.push_back({id, table.feature_name(id), redundancy});
    }
  }
}

// From the numbers that features have among those used to those in the file, with names.
void use_numbers_of_file(const Table& table, Result& result) {
  const auto renumber = [&](std::vector<SelectedFeature>& features) {
    for (SelectedFeature& feature : features) {
      feature.index = table.number_of(feature.index);
      for (std::int64_t& id : feature.identical) {
        feature.identical_names.push_back(table.feature_name(id));
        id = table.number_of(id);
      }
      for (SelectedFeature::Neighbor& neighbor : feature.neighbors) neighbor.index = table.number_of(neighbor.index);
    }
  };
  renumber(result.selected);
  renumber(result.dropped);
  for (PathStep& step : result.path) {
    if (step.index) step.index = table.number_of(*step.index);
    for (auto& [id, alpha] : step.coefficients) id = table.number_of(id);
  }
}

CertificateSummary summary(const Certificate& certificate) {
  return {certificate.max_violation,   certificate.tolerance,          certificate.valid,
          certificate.knots_checked,   certificate.features_evaluated, certificate.features_bounded,
          certificate.features_parked, certificate.parked_violation,   certificate.bounds_sampled,
          certificate.max_bound_excess};
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

}  // namespace

namespace {

Result select(const Table& table, const Target& target, const SelectOptions& options, const Scores* given,
              const Context& context, bool merge_copies) {
  use_simd_target_of_environment();
  check_sizes(table, target);
  const double started = now();
  Result result;
  describe(table, target, options, result);
  result.warnings = table.warnings;
  for (std::string& warning : target_warnings(target, table)) result.warnings.push_back(std::move(warning));
  result.warnings.insert(result.warnings.end(), target.warnings.begin(), target.warnings.end());

  Pipeline pipeline(table, target, options, context);
  if (given != nullptr) {
    pipeline.scores = *given;
  } else {
    pipeline.scores = pipeline.engine.score(pipeline.scorer, 0, result.data.features, false);
  }
  table.check_missing(options.kernel.missing, pipeline.scores.missing, pipeline.scores.first_missing);
  result.data.missing_values = pipeline.scores.missing;
  result.work.features_scored = result.data.features;
  const double scored = now();
  result.seconds.score = scored - started;

  // Exact copies would be touched, found to be copies, and parked one by one. With a ridge they share instead.
  const bool merging = merge_copies && options.method == Method::kLand && options.ridge == 0.0 && !options.plain_path;
  const bool is_signed = !pipeline.scores.signatures.empty();
  std::vector<std::uint64_t> signatures;
  if (!is_signed && merging) signatures = sign_likely_copies(pipeline.scores, pipeline.engine);
  // With a million features this is worth a thread each.
  std::optional<Copies> copies;
  pipeline.pool.run(2, [&](std::int64_t item, int) {
    if (item == 0) {
      if (is_signed || merging) copies.emplace(is_signed ? pipeline.scores.signatures : signatures);
      return;
    }
    result.data.constant_features = pipeline.scores.constant();
    result.data.fingerprint = fmt::format("{:016x}", fingerprint_of(result.data.samples, pipeline.scores.checksums));
  });
  if (is_signed) result.data.distinct_features = copies->distinct();
  if (copies && (!merging || copies->distinct() == result.data.features)) copies.reset();
  std::span<const double> bounds = pipeline.scores.relevance;
  std::vector<double> without_copies;
  if (copies) {
    without_copies.assign(bounds.begin(), bounds.end());
    for (std::size_t k = 0; k < without_copies.size(); ++k) {
      if (copies->is_copy(static_cast<FeatureId>(k))) without_copies[k] = -1.0;
    }
    result.work.features_copied = copies->count();
    bounds = without_copies;
  }

  if (options.method == Method::kMaximumRelevance) {
    Candidates candidates = pipeline.candidates(options, context);
    for (const auto& [id, relevance] :
         maximum_relevance(bounds, options.features, candidates, result.work.features_touched)) {
      result.selected.push_back({id, table.feature_name(id), relevance, std::nullopt, std::nullopt, {}});
    }
    result.factor = {candidates.largest_residual(), candidates.mean_columns()};
    add_single_samples(table, target, options, candidates, result);
    add_neighbors(table, options, pipeline, candidates, result);
    result.seconds.path = now() - scored;
  } else {
    std::unique_ptr<const KeptProducts> products;
    const Path path = [&] {
      Candidates candidates = pipeline.candidates(options, context);
      PathOptions path_options{options.features, options.ridge, [&](std::int64_t active) {
                                 context.check_stop();
                                 context.report("path", static_cast<double>(active),
                                                static_cast<double>(options.features));
                               }};
      context.report("path", 0.0, static_cast<double>(options.features));
      Path solved = options.plain_path ? solve_plain_path(bounds, candidates, path_options)
                                       : solve_lazy_path(bounds, candidates, path_options);
      record_path(solved, result);
      record_selected(table, solved, candidates, result);
      record_dropped(table, solved, candidates, result);
      find_identical(solved, candidates, result.selected);
      find_identical(solved, candidates, result.dropped);
      if (copies) {
        add_copies(*copies, result.selected);
        add_copies(*copies, result.dropped);
      }
      result.factor = {candidates.largest_residual(), candidates.mean_columns()};
      add_single_samples(table, target, options, candidates, result);
      add_neighbors(table, options, pipeline, candidates, result);
      products = candidates.take_products();
      return solved;
    }();
    if (copies &&
        !copies_hold(*copies, path, pipeline.scores, pipeline.engine, pipeline.pool, pipeline.memory.candidates / 4)) {
      return select(table, target, options, &pipeline.scores, context, false);
    }
    result.work.features_touched = static_cast<std::int64_t>(path.touched.size());
    result.work.pairs_by_stage = path.pairs_by_stage;
    const auto entries = std::count_if(path.knots.begin(), path.knots.end(),
                                       [](const Knot& knot) { return knot.event == PathEvent::kEnter; });
    result.work.pairs_full_algorithm = entries * (result.data.features - result.data.constant_features);
    const double solved_at = now();
    result.seconds.path = solved_at - scored;

    context.report("certifying", 0.0, 0.0);
    Candidates fresh = pipeline.candidates(options, context, products.get());
    CertificateOptions certificate_options;
    certificate_options.ridge = options.ridge;
    // Recomputing f costs in proportion to the samples: fewer features are drawn when there are very many.
    constexpr std::int64_t kValues = 200'000;
    certificate_options.sample =
        std::clamp<std::int64_t>(kValues / result.data.samples, 100, certificate_options.sample);
    result.certificate = summary(certify(path, bounds, fresh, certificate_options));
    if (copies) count_copies(*copies, path, *result.certificate);
    result.seconds.certify = now() - solved_at;
  }
  use_numbers_of_file(table, result);
  add_warnings(result);
  result.seconds.total = now() - started;
  return result;
}

}  // namespace

Result select(const Table& table, const Target& target, const SelectOptions& options, const Context& context,
              const Scores* scores) {
  validate(options);
  return if_unchanged(table.files, [&] { return select(table, target, options, scores, context, true); });
}

}  // namespace land
