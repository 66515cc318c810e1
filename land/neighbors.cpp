#include "land/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "land/check_data.h"
#include "land/engine/candidates.h"
#include "land/engine/local_engine.h"
#include "land/engine/memory_plan.h"
#include "land/error.h"
#include "land/files_in_use.h"
#include "land/formats/printable.h"
#include "land/kernels/simd_target.h"
#include "land/maximum_relevance.h"

namespace land {
namespace {

void check(const Table& table, std::int64_t feature, const NeighborOptions& options) {
  SelectOptions select;
  select.kernel = options.kernel;
  select.block_size = options.block_size;
  validate(select);
  if (options.count < 1) throw InputError(fmt::format("-k {}: ask for at least 1 neighbour", options.count));
  check_samples(table);
  if (feature < 0 || feature >= table.features()) {
    throw InputError(
        fmt::format("{}: no feature {}: they are numbered 0 to {}", table.path, feature, table.features() - 1));
  }
}

Neighbors find_neighbors(const Table& table, std::int64_t feature, const NeighborOptions& options,
                         const Context& context) {
  use_simd_target_of_environment();
  check(table, feature, options);
  const KernelOptions& kernel = options.kernel;
  const auto source = table.source(kernel.missing);
  WorkerPool pool(context.threads);
  const MemoryPlan memory = plan_memory(*source, options.count, context);
  LocalEngine engine(*source, pool, context, {options.block_size, options.count, memory.likely, memory.window});

  const auto block = engine.fetch({&feature, 1}).front();
  const FeatureView view = block->view(0);
  if (view.header->constant) {
    throw InputError(fmt::format("{}: feature {} is constant: it is redundant with nothing", table.path,
                                 in_quotes(table.feature_name(feature))));
  }
  // The feature in the place of the target: its relevances are the redundancies asked for.
  Target target;
  target.values.resize(static_cast<std::size_t>(view.samples));
  view.copy_values(target.values);
  const Factor factor = by_sample(make_factor(view, kernel));
  std::optional<FullKernel> full;
  if (kernel.factor == FactorKind::kFull) full = make_full_kernel(view, kernel);
  const Scorer scorer(target, factor, kernel);
  const Scores scores = engine.score(scorer, 0, table.features(), false);
  table.check_missing(kernel.missing, scores.missing, scores.first_missing);

  std::vector<double> bounds(scores.relevance.begin(), scores.relevance.end());
  bounds[static_cast<std::size_t>(feature)] = -1.0;
  Candidates candidates(engine, pool, context, scores, factor, full ? &*full : nullptr, kernel, memory);
  Neighbors result{table.number_of(feature), table.feature_name(feature), {}, 0};
  for (const auto& [id, redundancy] : maximum_relevance(bounds, options.count, candidates, result.features_refined)) {
    result.neighbors.push_back({table.number_of(id), table.feature_name(id), redundancy});
  }
  return result;
}

}  // namespace

Neighbors neighbors(const Table& table, std::int64_t feature, const NeighborOptions& options, const Context& context) {
  return if_unchanged(table.files, [&] { return find_neighbors(table, feature, options, context); });
}

}  // namespace land
