// The bounds of the scoring pass against f itself: never below it, seldom far above.
#include "land/kernels/scoring/scorer.h"

#include <gtest/gtest.h>

#include "land/base/simd_target.h"
#include "land/blocks/matrix_source.h"
#include "land/kernels/factors/factor.h"
#include "tests/support/kernels.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

// A sample-major matrix of T over these columns.
template <class T>
Matrix matrix_of(const std::vector<std::vector<double>>& columns, DType dtype, bool sample_major) {
  const std::size_t n = columns[0].size();
  const std::size_t d = columns.size();
  auto values = std::make_shared<std::vector<T>>(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < d; ++k) (*values)[sample_major ? i * d + k : k * n + i] = static_cast<T>(columns[k][i]);
  }
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values->data());
  matrix.dtype = dtype;
  matrix.samples = static_cast<std::int64_t>(n);
  matrix.columns = static_cast<std::int64_t>(d);
  matrix.sample_stride = sample_major ? static_cast<std::int64_t>(d) : 1;
  matrix.column_stride = sample_major ? 1 : static_cast<std::int64_t>(n);
  matrix.owner = values;
  return matrix;
}

std::vector<std::vector<double>> listed(const test::Columns& columns) {
  std::vector<std::vector<double>> result;
  for (const auto& [name, column] : columns) result.push_back(column);
  return result;
}

// Checks every bound of a matrix for a target; returns the largest slack, (bound - f) / f, where f > 5e-3.
double check(const Matrix& matrix, const Target& target, const KernelOptions& options, bool columns_alone = false) {
  const MatrixSource source(matrix, [](std::int64_t, std::int64_t) { return std::string("cell"); });
  FeatureBlock block;
  source.read(0, source.features(), block);
  const Factor target_factor =
      columns_alone ? stored_by_sample(test::make_factor(target, options)) : test::make_factor(target, options);
  const Scorer scorer = columns_alone ? Scorer(target_factor, options) : Scorer(target, target_factor, options);
  std::vector<Score> scores(static_cast<std::size_t>(source.features()));
  scorer.score(block, {}, scores);
  double slack = 0.0;
  for (std::int64_t k = 0; k < source.features(); ++k) {
    if (block.headers[static_cast<std::size_t>(k)].constant) continue;
    const Factor factor = test::make_factor(block.view(k), options);
    const double f = redundancy(factor, target_factor);
    const Score score = scores[static_cast<std::size_t>(k)];
    EXPECT_GE(score.relevance, f) << "feature " << k;
    EXPECT_LE(score.relevance - score.error, f) << "feature " << k;
    EXPECT_GE(score.norm, factor.norm) << "feature " << k;
    if (f > 5e-3) slack = std::max(slack, static_cast<double>(score.relevance) / f - 1.0);
  }
  return slack;
}

class ScorerOfSize : public testing::TestWithParam<int> {};

TEST_P(ScorerOfSize, BoundsHoldForEveryShapeTypeAndTarget) {
  const int n = GetParam();
  const auto columns = listed(test::sample_columns(n, 41));
  std::vector<Target> targets = {test::class_target(test::sample_labels(n, 2, 43), 2)};
  if (n > 10) targets.push_back(test::class_target(test::sample_labels(n, 5, 43), 5));
  if (n <= 30000) targets.push_back(test::numeric_target(test::sample_columns(n, 47).at("student")));
  std::vector<double> times;
  const test::Columns others = test::sample_columns(n, 47);
  for (const double x : others.at("lognormal")) times.push_back(std::ceil(20.0 * x));
  targets.push_back(test::survival_target(times));
  for (const Target& target : targets) {
    KernelOptions options;
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options);
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options, true);
    if (n > 10000) continue;
    check(matrix_of<double>(columns, DType::kFloat64, true), target, options);
    check(matrix_of<float>(columns, DType::kFloat32, false), target, options);
    options.measure = Measure::kHsic;
    options.sigma = {0.5};
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options);
    options.measure = Measure::kNhsic;
    options.sigma = {2.5};
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options);
    options.sigma = kMixedWidths;
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options);
    check(matrix_of<double>(columns, DType::kFloat64, false), target, options);
    options.transform = Transform::kRank;
    check(matrix_of<float>(columns, DType::kFloat32, true), target, options);
    options.sigma = {1.0};
    check(matrix_of<double>(columns, DType::kFloat64, true), target, options);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScorerOfSize, testing::Values(4, 7, 65, 302, 2001, 100000));

TEST(Scorer, BoundsAreTightForNormalData) {
  std::mt19937_64 random(53);
  std::normal_distribution<double> normal;
  for (const int n : {302, 2000}) {
    std::vector<std::vector<double>> columns(64, std::vector<double>(static_cast<std::size_t>(n)));
    const std::vector<int> labels = test::sample_labels(n, 2, 59);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t i = 0; i < columns[k].size(); ++i) {
        columns[k][i] = normal(random) + 0.02 * static_cast<double>(k) * labels[i];
      }
    }
    const Matrix matrix = matrix_of<float>(columns, DType::kFloat32, true);
    const Target target = test::class_target(labels, 2);
    EXPECT_LT(check(matrix, target, {}), 4e-3) << n;
    EXPECT_LT(check(matrix, target, {}, true), 4e-3) << n;
    KernelOptions options;
    options.transform = Transform::kRank;
    EXPECT_LT(check(matrix, target, options), 4e-3) << n;
    options.sigma = kMixedWidths;
    EXPECT_LT(check(matrix, target, options), 2.5e-2) << n;
  }
}

TEST(Scorer, BoundsOfSurvivalAreTight) {
  constexpr int kSamples = 302;
  std::mt19937_64 random(54);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> wait;
  std::vector<double> times;
  for (int i = 0; i < kSamples; ++i) times.push_back(wait(random));
  std::vector<std::vector<double>> columns(32, std::vector<double>(kSamples));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < kSamples; ++i) {
      columns[k][i] = normal(random) + 0.03 * static_cast<double>(k) * std::log(times[i]);
    }
  }
  EXPECT_LT(check(matrix_of<float>(columns, DType::kFloat32, true), test::survival_target(times), {}), 4e-3);
}

TEST(Scorer, ExtremeValues) {
  const int n = 300;
  std::mt19937_64 random(61);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns;
  for (const double scale : {1e30, 1e-30, 1e-38, 1e37, 1.0}) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) column.push_back(scale * normal(random));
    columns.push_back(column);
  }
  for (const double far : {20.0, 60.0, 1e4, 1e9}) {  // |u| of up to sqrt(n)
    std::vector<double> column;
    for (int i = 0; i < n; ++i) column.push_back(i % 100 == 0 ? far * normal(random) : normal(random));
    columns.push_back(column);
  }
  std::vector<double> offset;
  for (int i = 0; i < n; ++i) offset.push_back(1e5 + normal(random));  // float32 keeps two digits of the deviation
  columns.push_back(offset);
  for (const Target& target :
       {test::class_target(test::sample_labels(n, 2, 67), 2), test::numeric_target(columns[4])}) {
    check(matrix_of<float>(columns, DType::kFloat32, true), target, {});
    check(matrix_of<double>(columns, DType::kFloat64, true), target, {});
  }
}

TEST(Scorer, BytesAndOtherTypes) {
  const int n = 500;
  std::mt19937_64 random(71);
  std::vector<std::vector<double>> columns;
  for (const int levels : {2, 3, 10, 64, 127}) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) column.push_back(static_cast<double>(random() % static_cast<unsigned>(levels)));
    columns.push_back(column);
  }
  columns.emplace_back(n, 3.0);
  for (const Target& target :
       {test::class_target(test::sample_labels(n, 2, 73), 2), test::class_target(test::sample_labels(n, 4, 73), 4),
        test::numeric_target(columns[3])}) {
    check(matrix_of<std::uint8_t>(columns, DType::kUint8, true), target, {});
    check(matrix_of<std::int8_t>(columns, DType::kInt8, false), target, {});
    check(matrix_of<std::int32_t>(columns, DType::kInt32, true), target, {});
    check(matrix_of<float>(columns, DType::kFloat32, true), target, {});
  }
}

TEST(Scorer, BoundsFullKernelsToo) {
  const int n = 120;
  const auto columns = listed(test::sample_columns(n, 79));
  KernelOptions options;
  options.factor = FactorKind::kFull;
  const std::vector<double> y = test::sample_columns(n, 83).at("normal");
  const Target target = test::numeric_target(y);
  const MatrixSource source(matrix_of<double>(columns, DType::kFloat64, true),
                            [](std::int64_t, std::int64_t) { return std::string("cell"); });
  FeatureBlock block;
  source.read(0, source.features(), block);
  const Factor target_factor = test::make_factor(target, options);
  const Scorer scorer(target, target_factor, options);
  std::vector<Score> scores(columns.size());
  scorer.score(block, {}, scores);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    EXPECT_GE(scores[k].relevance, test::nhsic(test::gaussian(columns[k]), test::gaussian(y))) << "feature " << k;
  }
}

TEST(Scorer, InstructionSetsBoundAlike) {
  const int n = 302;
  const auto columns = listed(test::sample_columns(n, 89));
  for (const Target& target :
       {test::class_target(test::sample_labels(n, 2, 97), 2), test::numeric_target(columns[4])}) {
    for (const std::string& simd : simd_targets()) {
      use_simd_target(simd);
      check(matrix_of<float>(columns, DType::kFloat32, true), target, {});
    }
  }
  use_simd_target("");
}

TEST(Scorer, BoundsHoldForABlockOfOne) {
  const int n = 200;
  const auto columns = listed(test::sample_columns(n, 101));
  const Matrix matrix = matrix_of<float>(columns, DType::kFloat32, true);
  const MatrixSource source(matrix, [](std::int64_t, std::int64_t) { return std::string("cell"); });
  const Target target = test::class_target(test::sample_labels(n, 2, 103), 2);
  const Factor target_factor = test::make_factor(target, KernelOptions{});
  const Scorer scorer(target, target_factor, KernelOptions{});
  FeatureBlock whole;
  source.read(0, source.features(), whole);
  std::vector<Score> together(columns.size());
  scorer.score(whole, {}, together);
  for (std::int64_t k = 0; k < source.features(); ++k) {
    FeatureBlock one;
    source.read(k, 1, one);
    Score alone;
    scorer.score(one, {}, {&alone, 1});
    // Both bound the same f; a strip's common range may loosen one of them.
    const double f = redundancy(test::make_factor(one.view(0), KernelOptions{}), target_factor);
    EXPECT_GE(alone.relevance, f);
    EXPECT_GE(together[static_cast<std::size_t>(k)].relevance, f);
    EXPECT_EQ(one.headers[0].checksum, whole.headers[static_cast<std::size_t>(k)].checksum);
  }
}

}  // namespace
}  // namespace land
