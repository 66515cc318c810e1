#include "benchmarks/tables.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace land::bench {
namespace {

template <class T, class Draw>
Matrix make_matrix(std::int64_t samples, DType dtype, Draw draw) {
  const std::int64_t features = std::max(kElements / samples / kStripWidth, std::int64_t{1}) * kStripWidth;
  auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(samples * features));
  for (T& value : *values) value = draw();
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values->data());
  matrix.dtype = dtype;
  matrix.samples = samples;
  matrix.columns = features;
  matrix.sample_stride = features;
  matrix.column_stride = 1;
  matrix.owner = values;
  return matrix;
}

// The value of `key`, made by `make` the first time.
template <class Key, class Value, class Make>
const Value& kept(std::map<Key, std::unique_ptr<Value>>& all, const Key& key, Make make) {
  std::unique_ptr<Value>& place = all[key];
  if (!place) place = make();
  return *place;
}

}  // namespace

BenchTable::BenchTable(Matrix sample_major)
    : matrix(std::move(sample_major)),
      source(matrix, [](std::int64_t, std::int64_t) { return std::string("benchmark"); }),
      block_features(std::clamp<std::int64_t>(96 * 1024 / matrix.samples / kStripWidth, 1, 32) * kStripWidth) {
  for (std::int64_t first = 0; first < matrix.columns; first += block_features) {
    source.read(first, std::min(block_features, matrix.columns - first), blocks.emplace_back());
  }
}

const BenchTable& normal_table(std::int64_t samples) {
  static std::map<std::int64_t, std::unique_ptr<BenchTable>> all;
  return kept(all, samples, [&] {
    std::mt19937_64 random(17);
    std::normal_distribution<float> normal;
    return std::make_unique<BenchTable>(make_matrix<float>(samples, DType::kFloat32, [&] { return normal(random); }));
  });
}

const BenchTable& byte_table(std::int64_t samples, std::int64_t levels) {
  static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<BenchTable>> all;
  return kept(all, {samples, levels}, [&] {
    std::mt19937_64 random(19);
    const auto draw = [&] { return static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(levels)); };
    return std::make_unique<BenchTable>(make_matrix<std::uint8_t>(samples, DType::kUint8, draw));
  });
}

BenchTarget::BenchTarget(Target made)
    : target(std::move(made)), factor(Kernels({}).factor(target)), scorer(target, factor, {}) {}

const BenchTarget& target_of(TargetKind kind, std::int64_t samples) {
  static std::map<std::pair<TargetKind, std::int64_t>, std::unique_ptr<BenchTarget>> all;
  return kept(all, {kind, samples}, [&] {
    std::mt19937_64 random(23);
    std::normal_distribution<double> normal;
    Target target;
    if (kind == TargetKind::kNumbers) {
      target.task = Task::kRegression;
      for (std::int64_t i = 0; i < samples; ++i) target.values.push_back(normal(random));
    } else {
      target.task = Task::kClassification;
      const std::uint64_t classes = kind == TargetKind::kTwoClasses ? 2 : 5;
      for (std::int64_t i = 0; i < samples; ++i) target.labels.push_back(static_cast<std::int32_t>(random() % classes));
      for (std::uint64_t c = 0; c < classes; ++c) target.class_names.push_back(std::to_string(c));
    }
    return std::make_unique<BenchTarget>(std::move(target));
  });
}

void score_blocks(benchmark::State& state, const BenchTable& table, const BenchTarget& target, WorkerPool& pool) {
  std::vector<Score> scores(static_cast<std::size_t>(table.matrix.columns));
  for (auto _ : state) {
    pool.run(static_cast<std::int64_t>(table.blocks.size()), [&](std::int64_t item, int) {
      const FeatureBlock& block = table.blocks[static_cast<std::size_t>(item)];
      Score* first = scores.data() + item * table.block_features;
      target.scorer.score(block, {}, {first, static_cast<std::size_t>(block.features())});
    });
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * table.elements());
}

}  // namespace land::bench
