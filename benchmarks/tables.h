// Tables and targets to measure on. Made when first asked for and kept: the repetitions of a benchmark share them.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "land/base/worker_pool.h"
#include "land/blocks/feature_block.h"
#include "land/blocks/matrix_source.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/scoring/scorer.h"

namespace land::bench {

// 64 MB of float32: more than any cache of the machines this runs on.
inline constexpr std::int64_t kElements = std::int64_t{1} << 24U;

struct BenchTable {
  explicit BenchTable(Matrix sample_major);

  std::int64_t elements() const { return matrix.samples * matrix.columns; }

  Matrix matrix;
  MatrixSource source;
  std::int64_t block_features;       // in each block: what fits the second-level cache, whole strips
  std::vector<FeatureBlock> blocks;  // all features, read
};

// N(0, 1) in float32, sample-major, about kElements of them.
const BenchTable& normal_table(std::int64_t samples);
// uint8 with so many levels, equally likely, sample-major, about kElements of them.
const BenchTable& byte_table(std::int64_t samples, std::int64_t levels);

enum class TargetKind : std::uint8_t { kTwoClasses, kFiveClasses, kNumbers };

// A target with all that scoring needs of it.
struct BenchTarget {
  explicit BenchTarget(Target made);

  Target target;
  Factor factor;
  Scorer scorer;
};

const BenchTarget& target_of(TargetKind kind, std::int64_t samples);

// Scores all blocks of a table, again and again; items are elements.
void score_blocks(benchmark::State& state, const BenchTable& table, const BenchTarget& target, WorkerPool& pool);

}  // namespace land::bench
