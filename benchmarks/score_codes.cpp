// The scoring pass over features stored as codes against a plain byte histogram of the same codes.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "benchmarks/baselines.h"
#include "benchmarks/tables.h"
#include "land/base/worker_pool.h"

namespace land::bench {
namespace {

constexpr std::int64_t kSamples = 10000;

// Arguments of every benchmark here: levels, workers. An iteration is one pass over the table; items are elements.
void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"levels", "workers"})->ArgsProduct({{3, 16, 64}, {1, 2}})->UseRealTime();
}

void histogram(benchmark::State& state) {
  const BenchTable& table = byte_table(kSamples, state.range(0));
  WorkerPool pool(static_cast<int>(state.range(1)));
  for (auto _ : state) {
    pool.run(static_cast<std::int64_t>(table.blocks.size()), [&](std::int64_t item, int) {
      const FeatureBlock& block = table.blocks[static_cast<std::size_t>(item)];
      for (std::int64_t k = 0; k < block.features(); ++k) {
        std::array<std::uint32_t, 256> counts;
        byte_histogram({block.view(k).codes(), static_cast<std::size_t>(kSamples)}, counts);
        benchmark::DoNotOptimize(counts);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * table.elements());
}

void score_codes(benchmark::State& state, TargetKind kind) {
  const BenchTable& table = byte_table(kSamples, state.range(0));
  const BenchTarget& target = target_of(kind, kSamples);
  WorkerPool pool(static_cast<int>(state.range(1)));
  for (const FeatureBlock& block : table.blocks) {
    for (const FeatureHeader& header : block.headers) {
      if (header.encoding != Encoding::kCodes) return state.SkipWithError("the reader chose another encoding");
    }
  }
  score_blocks(state, table, target, pool);
}

BENCHMARK(histogram)->Apply(shapes);
BENCHMARK_CAPTURE(score_codes, two_classes, TargetKind::kTwoClasses)->Apply(shapes);
BENCHMARK_CAPTURE(score_codes, five_classes, TargetKind::kFiveClasses)->Apply(shapes);

}  // namespace
}  // namespace land::bench
