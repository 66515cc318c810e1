// The scoring pass over float32 features against one vectorised exp per element of the same array.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "benchmarks/baselines.h"
#include "benchmarks/tables.h"
#include "land/base/worker_pool.h"
#include "land/engine/local_engine.h"
#include "land/engine/scored_parts.h"

namespace land::bench {
namespace {

// Arguments of every benchmark here: samples, workers. An iteration is one pass over the table; items are elements.
void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"n", "workers"})->ArgsProduct({{302, 2000, 26120}, {1, 2}})->UseRealTime();
}

void vector_exp(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  WorkerPool pool(static_cast<int>(state.range(1)));
  constexpr std::int64_t kPiece = 1 << 16;
  const auto* values = reinterpret_cast<const float*>(table.matrix.data);
  const std::int64_t elements = table.elements();
  for (auto _ : state) {
    pool.run((elements + kPiece - 1) / kPiece, [&](std::int64_t item, int) {
      const std::int64_t first = item * kPiece;
      const std::int64_t count = std::min(kPiece, elements - first);
      benchmark::DoNotOptimize(sum_of_exp({values + first, static_cast<std::size_t>(count)}));
    });
  }
  state.SetItemsProcessed(state.iterations() * elements);
}

// Blocks that were read before.
void score(benchmark::State& state, TargetKind kind) {
  const BenchTable& table = normal_table(state.range(0));
  const BenchTarget& target = target_of(kind, state.range(0));
  WorkerPool pool(static_cast<int>(state.range(1)));
  score_blocks(state, table, target, pool);
}

// The engine's pass: reads a block from the sample-major matrix, scores it, goes on.
void read_and_score(benchmark::State& state, TargetKind kind) {
  const BenchTable& table = normal_table(state.range(0));
  const BenchTarget& target = target_of(kind, state.range(0));
  WorkerPool pool(static_cast<int>(state.range(1)));
  const Context context{static_cast<int>(state.range(1)), {}, nullptr};
  LocalEngine engine(table.source, pool, context);
  const ScoreJob job = with_scorer({.against = std::make_shared<Target>(target.target), .last = engine.features()});
  for (auto _ : state) benchmark::DoNotOptimize(score_job(engine, job, context));
  state.SetItemsProcessed(state.iterations() * table.elements());
}

void read_blocks(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  WorkerPool pool(static_cast<int>(state.range(1)));
  std::vector<FeatureBlock> buffers(static_cast<std::size_t>(pool.threads()));
  for (auto _ : state) {
    pool.run(static_cast<std::int64_t>(table.blocks.size()), [&](std::int64_t item, int worker) {
      const std::int64_t first = item * table.block_features;
      table.source.read(first, std::min(table.block_features, table.matrix.columns - first),
                        buffers[static_cast<std::size_t>(worker)]);
    });
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * table.elements());
}

BENCHMARK(vector_exp)->Apply(shapes);
BENCHMARK_CAPTURE(score, two_classes, TargetKind::kTwoClasses)->Apply(shapes);
BENCHMARK_CAPTURE(score, five_classes, TargetKind::kFiveClasses)->Apply(shapes);
BENCHMARK_CAPTURE(score, numbers, TargetKind::kNumbers)->Apply(shapes);
BENCHMARK_CAPTURE(read_and_score, two_classes, TargetKind::kTwoClasses)->Apply(shapes);
BENCHMARK(read_blocks)->Apply(shapes);

}  // namespace
}  // namespace land::bench
