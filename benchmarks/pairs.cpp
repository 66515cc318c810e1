// Full pairs against the machine's peak of fused multiply-adds; what factors and sketches cost.
#include <benchmark/benchmark.h>

#include <array>
#include <random>
#include <vector>

#include "benchmarks/baselines.h"
#include "benchmarks/tables.h"
#include "land/base/worker_pool.h"
#include "land/kernels/factors/column_products.h"
#include "land/kernels/sketches/sketch.h"

namespace land::bench {
namespace {

constexpr std::size_t kTogether = 4;  // factors on either side

constexpr std::int64_t kSamples = 26120;
constexpr std::int64_t kColumns = 16;
constexpr std::size_t kGroups = 16;  // of 4 factors, 13 MB each: together more than any cache

// All factors are the same numbers in different places: only the memory matters.
const std::vector<DenseColumns>& factors() {
  static const std::vector<DenseColumns> all = [] {
    DenseColumns one(kSamples, kColumns);
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    for (double& value : one.values) value = normal(random);
    return std::vector<DenseColumns>(kGroups * kTogether, one);
  }();
  return all;
}

// An iteration is one block of 4 x 4 pairs for each worker; items are multiply-adds.
void pair_products_4x4(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  const std::vector<DenseColumns>& all = factors();
  WorkerPool pool(static_cast<int>(workers));
  std::size_t next = 0;
  for (auto _ : state) {
    pool.run(static_cast<std::int64_t>(workers), [&](std::int64_t item, int) {
      // Far apart in the ring of groups, so that no worker finds what another has fetched.
      const std::size_t group = next + static_cast<std::size_t>(item) * (kGroups / workers);
      const Columns* lefts[kTogether];
      const Columns* rights[kTogether];
      for (std::size_t f = 0; f < kTogether; ++f) {
        lefts[f] = &all[group % kGroups * kTogether + f];
        rights[f] = &all[(group + 1) % kGroups * kTogether + f];
      }
      std::array<std::uint8_t, kTogether * kTogether> wanted;
      wanted.fill(1);
      std::array<double, kTogether * kTogether> out;
      pair_products(lefts, rights, wanted, [&](std::size_t pair, std::span<const double> products) {
        out[pair] = sum_of_squares(products, kColumns, kColumns);
      });
      benchmark::DoNotOptimize(out);
    });
    next += 2;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(workers * kTogether * kTogether) * kSamples *
                          kColumns * kColumns);
}
BENCHMARK(pair_products_4x4)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

void fma_peak(benchmark::State& state) {
  const std::int64_t workers = state.range(0);
  WorkerPool pool(static_cast<int>(workers));
  std::vector<std::int64_t> done(static_cast<std::size_t>(workers), 0);
  for (auto _ : state) {
    pool.run(workers, [&](std::int64_t item, int) {
      double result = 1.0;
      done[static_cast<std::size_t>(item)] += multiply_adds(1 << 20, result);
      benchmark::DoNotOptimize(result);
    });
  }
  std::int64_t total = 0;
  for (const std::int64_t count : done) total += count;
  state.SetItemsProcessed(total);
}
BENCHMARK(fma_peak)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

// Items are features.
void factor_of_feature(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  const FeatureBlock feature = table.blocks[0].extract(0);
  const Kernels kernels({});
  for (auto _ : state) benchmark::DoNotOptimize(kernels.factor(feature.view(0)));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(factor_of_feature)->ArgName("n")->Arg(302)->Arg(2000)->Arg(26120);

void sketch_of_feature(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  const FeatureBlock feature = table.blocks[0].extract(0);
  const SketchBasis basis(std::vector{1.0});
  for (auto _ : state) benchmark::DoNotOptimize(gaussian_sketch(feature.view(0), basis, 1.0, KernelOptions{}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sketch_of_feature)->ArgName("n")->Arg(302)->Arg(2000)->Arg(26120);

// Items are pairs: a lower bound of 2 or 4 columns, and one pair in full.
void pair_bound(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  const SketchBasis basis(std::vector{1.0});
  const Sketch a = gaussian_sketch(table.blocks[0].extract(0).view(0), basis, 1.0, KernelOptions{});
  const Sketch b = gaussian_sketch(table.blocks[0].extract(1).view(0), basis, 1.0, KernelOptions{});
  const auto columns = static_cast<int>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(sketch_bound(a, b, columns));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pair_bound)->ArgNames({"n", "columns"})->ArgsProduct({{302, 2000, 26120}, {2, 4}});

void pair_in_full(benchmark::State& state) {
  const BenchTable& table = normal_table(state.range(0));
  const FeatureBlock a = table.blocks[0].extract(0);
  const FeatureBlock b = table.blocks[0].extract(1);
  const Kernels kernels({});
  const Factor left = kernels.factor(a.view(0));
  const Factor right = kernels.factor(b.view(0));
  for (auto _ : state) benchmark::DoNotOptimize(redundancy(left, right));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pair_in_full)->ArgName("n")->Arg(302)->Arg(2000)->Arg(26120);

}  // namespace
}  // namespace land::bench
