#include "land/commands/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/simd_target.h"
#include "land/data/check_data.h"
#include "land/engine/scored_parts.h"
#include "land/files/files_in_use.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/best_of.h"
#include "land/pairs/candidates.h"
#include "land/pairs/memory_plan.h"
#include "land/text/printable.h"

namespace land {
namespace {

void check(const Table& table, std::int64_t feature, const NeighborOptions& options) {
  SelectOptions select;
  select.kernel = options.kernel;
  select.block_size = options.block_size;
  validate(select);
  if (options.count < 1) throw InputError(fmt::format("{}: ask for at least 1 neighbour", option("k", options.count)));
  check_samples(table);
  if (feature < 0 || feature >= table.features()) {
    throw InputError(
        fmt::format("{}: no feature {}: they are numbered 0 to {}", table.path, feature, table.features() - 1));
  }
}

Neighbors find_neighbors(Engine& engine, WorkerPool& pool, const Table& table, std::int64_t feature,
                         const NeighborOptions& options, const Context& context) {
  use_simd_target_of_environment();
  check(table, feature, options);
  const KernelOptions& kernel = options.kernel;
  const MemoryPlan memory = plan_memory(engine.shape(), options.count, context);
  engine.allow({memory.likely, memory.window});

  const auto block = engine.fetch({&feature, 1}).front();
  const FeatureView view = block->view(0);
  if (view.header->constant) {
    throw InputError(fmt::format("{}: feature {} is constant: it is redundant with nothing", table.path,
                                 in_quotes(table.feature_name(feature))));
  }
  // The feature in the place of the target: its relevances are the redundancies asked for.
  const ScoreJob job =
      with_scorer({.against = block, .kernel = kernel, .last = table.features(), .wanted = options.count});
  std::optional<FullKernel> full;
  if (kernel.factor == FactorKind::kFull) full = Kernels(kernel).full(view);
  const Scores scores = score_job(engine, job, context);
  table.check_missing(kernel.missing, scores.missing, scores.first_missing);

  if (scores.relevance[static_cast<std::size_t>(feature)] == kExplained) {
    throw InputError(fmt::format("{}: feature {} is explained by the covariates: nothing of it is left to compare",
                                 option("adjust"), in_quotes(table.feature_name(feature))));
  }

  std::vector<double> bounds(scores.relevance.begin(), scores.relevance.end());
  bounds[static_cast<std::size_t>(feature)] = -1.0;
  const auto candidates =
      make_candidates(engine, pool, context, scores, job.scorer->form(), full ? &*full : nullptr, kernel, memory);
  Neighbors result{table.feature_numbers[feature], table.feature_name(feature), {}, 0};
  for (const auto& [id, redundancy] : most_relevant(bounds, options.count, *candidates, result.features_refined)) {
    result.neighbors.push_back({table.feature_numbers[id], table.feature_name(id), redundancy});
  }
  return result;
}

}  // namespace

Neighbors neighbors(Engine& engine, WorkerPool& pool, const Table& table, std::int64_t feature,
                    const NeighborOptions& options, const Context& context) {
  return if_unchanged(table.files, [&] { return find_neighbors(engine, pool, table, feature, options, context); });
}

}  // namespace land
