// What the engine keeps while it scores is what the source has.
#include "land/engine/local_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "land/blocks/matrix_source.h"
#include "land/engine/scored_parts.h"
#include "tests/support/samples.h"

namespace land {
namespace {

TEST(LocalEngine, FetchesWhatItKeptAsItIs) {
  constexpr std::int64_t kSamples = 300;
  constexpr std::int64_t kFeatures = 2000;
  std::mt19937_64 random(83);
  std::normal_distribution<float> normal;
  std::vector<float> values(kSamples * kFeatures);
  const std::vector<int> labels = test::sample_labels(kSamples, 2, 89);
  for (std::int64_t i = 0; i < kSamples; ++i) {
    for (std::int64_t k = 0; k < kFeatures; ++k) {
      float& value = values[static_cast<std::size_t>(i * kFeatures + k)];
      // The later the better, so that what is kept is replaced again and again; some have few values.
      value = normal(random) + 2e-3F * static_cast<float>(k * labels[static_cast<std::size_t>(i)]);
      if (k % 7 == 0) value = std::round(value);
    }
  }
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values.data());
  matrix.dtype = DType::kFloat32;
  matrix.samples = kSamples;
  matrix.columns = kFeatures;
  matrix.sample_stride = kFeatures;
  matrix.column_stride = 1;
  const MatrixSource source(matrix, [](std::int64_t, std::int64_t) { return std::string("cell"); });
  Context context;
  context.threads = 2;
  WorkerPool pool(context.threads);
  LocalEngine engine(source, pool, context, 32);
  engine.allow({.kept = 1 << 20});
  const auto target = std::make_shared<Target>(test::class_target(labels, 2));
  score_job(engine, {.against = target, .last = kFeatures, .wanted = 3}, context);

  std::vector<FeatureId> all;
  for (FeatureId k = 0; k < kFeatures; ++k) all.push_back(k);
  const auto blocks = engine.fetch(all);
  for (FeatureId k = 0; k < kFeatures; ++k) {
    const FeatureView view = blocks[static_cast<std::size_t>(k)]->view(0);
    ASSERT_EQ(view.header->id, k);
    ASSERT_EQ(view.header->stride, 1);
    for (std::int64_t i = 0; i < kSamples; ++i) {
      ASSERT_EQ(view.value(i), static_cast<double>(values[static_cast<std::size_t>(i * kFeatures + k)]));
    }
  }
}

}  // namespace
}  // namespace land
