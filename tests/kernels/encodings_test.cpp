// The contract of encodings: whatever a feature is stored in, and whatever its partner is stored in, f and R are the
// same, and they are those of full kernel matrices.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "land/base/checksum.h"
#include "land/blocks/encode_sparse.h"
#include "land/blocks/signature.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/factors/full_kernel.h"
#include "land/kernels/scoring/scorer.h"
#include "land/kernels/sketches/sketch.h"
#include "tests/support/kernels.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Encoded {
  std::string name;
  std::vector<double> column;
  FeatureBlock block;
};

struct Case {
  int samples;
  Missing missing;
  bool with_missing;
};

// Genotypes common and rare, a count, a sparse measurement: in every encoding that can hold them.
std::vector<Encoded> encoded_columns(const Case& setting) {
  std::mt19937_64 random(7);
  const int n = setting.samples;
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  const auto add = [&](const std::string& name, auto&& value) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) column.push_back(value(i));
    column[static_cast<std::size_t>(n) - 1] = 1.0;
    column[static_cast<std::size_t>(n) - 2] = column[static_cast<std::size_t>(n) - 3] = 0.0;
    if (setting.with_missing) {
      for (int i = 0; i + 3 < n; ++i) {
        if (random() % 7 == 0) column[static_cast<std::size_t>(i)] = kNone;
      }
    }
    columns.emplace_back(name, column);
  };
  add("common genotype", [&](int) { return static_cast<double>(random() % 3); });
  add("rare genotype", [&](int) { return random() % 10 == 0 ? 2.0 - static_cast<double>(random() % 2) : 0.0; });
  add("two calls", [&](int) { return static_cast<double>(random() % 2); });
  const std::size_t genotypes = columns.size();
  add("count", [&](int) { return random() % 4 == 0 ? static_cast<double>(random() % 9) : 0.0; });
  add("negative levels", [&](int) { return random() % 3 == 0 ? -1.5 * static_cast<double>(random() % 4) : 0.0; });
  add("measurement", [&](int) { return random() % 4 == 0 ? static_cast<float>(random() % 100000) * 0.25F : 0.0; });
  std::vector<Encoded> result;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto& [name, column] = columns[c];
    std::vector<Encoding> encodings = {Encoding::kFloat32, Encoding::kFloat64, Encoding::kSparseValues};
    if (name != "measurement" || n <= 256) {
      encodings.push_back(Encoding::kCodes);
      encodings.push_back(Encoding::kSparseCodes);
    }
    if (c < genotypes) encodings.push_back(Encoding::kPacked2);
    for (const Encoding encoding : encodings) {
      result.push_back({name + " as " + std::string(to_string(encoding)), column, test::block_of(column, encoding)});
    }
  }
  return result;
}

class EncodingContract : public testing::TestWithParam<Case> {};

TEST_P(EncodingContract, ValuesComeBack) {
  for (const Encoded& one : encoded_columns(GetParam())) {
    for (const FeatureBlock& block : {one.block, one.block.extract(0)}) {
      const FeatureView view = block.view(0);
      std::vector<double> values(one.column.size());
      view.copy_values(values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = view.value(static_cast<std::int64_t>(i));
        if (std::isnan(one.column[i])) {
          EXPECT_TRUE(std::isnan(values[i]) && std::isnan(value)) << one.name;
        } else {
          EXPECT_EQ(values[i], one.column[i]) << one.name;
          EXPECT_EQ(value, one.column[i]) << one.name;
        }
      }
    }
  }
}

TEST_P(EncodingContract, PairsAreThoseOfFullKernelsInAnyEncoding) {
  const Case setting = GetParam();
  KernelOptions options;
  options.missing = setting.missing;
  const std::vector<Encoded> columns = encoded_columns(setting);
  std::vector<Factor> factors;
  std::vector<Sketch> sketches;
  const SketchBasis basis(options.sigma);
  std::map<std::string, Eigen::MatrixXd> kernels;
  std::map<std::string, double> with_themselves;  // what the sketch of a column gives, however it is encoded
  for (const Encoded& one : columns) {
    factors.push_back(test::make_factor(one.block.view(0), options));
    const double norm = factors.back().norm * (1.0 + 1e-6);
    sketches.push_back(gaussian_sketch(one.block.view(0), basis, 1.0 / norm, options));
    const std::string name = one.name.substr(0, one.name.find(" as "));
    const double with_itself = sketch_bound(sketches.back(), sketches.back(), 4);
    EXPECT_NEAR(with_itself, with_themselves.try_emplace(name, with_itself).first->second, 1e-6) << one.name;
    if (!kernels.contains(name)) kernels[name] = test::gaussian(one.column, setting.missing);
  }
  const auto kernel = [&](std::size_t k) -> const Eigen::MatrixXd& {
    return kernels.at(columns[k].name.substr(0, columns[k].name.find(" as ")));
  };
  for (std::size_t a = 0; a < columns.size(); ++a) {
    EXPECT_LE(factors[a].residual, kFactorResidual) << columns[a].name;
    for (std::size_t b = 0; b <= a; ++b) {
      const double r = redundancy(factors[a], factors[b]);
      const double expected = kernel(a).cwiseProduct(kernel(b)).sum() / (kernel(a).norm() * kernel(b).norm());
      EXPECT_NEAR(r, expected, 5.0 * kFactorResidual) << columns[a].name << " and " << columns[b].name;
      EXPECT_LE(sketch_bound(sketches[a], sketches[b], 2), r + 1e-12) << columns[a].name << " and " << columns[b].name;
      EXPECT_LE(sketch_bound(sketches[a], sketches[b], 4), r + 1e-12) << columns[a].name << " and " << columns[b].name;
      // The same pair in any other encodings.
      for (std::size_t c = 0; c < a; ++c) {
        if (columns[c].name.substr(0, 5) != columns[a].name.substr(0, 5)) continue;
        EXPECT_NEAR(r, redundancy(factors[c], factors[b]), 1e-12) << columns[a].name << " and " << columns[b].name;
        break;
      }
    }
  }
}

TEST_P(EncodingContract, FullKernelsAreThoseOfTheOracle) {
  const Case setting = GetParam();
  KernelOptions options;
  options.missing = setting.missing;
  for (const Encoded& one : encoded_columns(setting)) {
    const FullKernel kernel = test::make_full_kernel(one.block.view(0), options);
    Eigen::MatrixXd expected = test::gaussian(one.column, setting.missing);
    expected /= expected.norm();
    double worst = 0.0;
    for (Eigen::Index i = 0; i < expected.rows(); ++i) {
      for (Eigen::Index j = 0; j < expected.cols(); ++j) {
        const double value = kernel.values[static_cast<std::size_t>(i * expected.cols() + j)];
        worst = std::max(worst, std::abs(value - expected(i, j)));
      }
    }
    EXPECT_LT(worst, 1e-12) << one.name;
  }
}

TEST_P(EncodingContract, ScoresBoundRelevance) {
  const Case setting = GetParam();
  KernelOptions options;
  options.missing = setting.missing;
  const int n = setting.samples;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(normal(random));
  const std::vector<Target> targets = {test::class_target(test::sample_labels(n, 2, 5), 2),
                                       test::class_target(test::sample_labels(n, 4, 6), 4),
                                       test::numeric_target(numbers)};
  for (const Target& target : targets) {
    const Factor target_factor = test::make_factor(target, options);
    const Scorer scorer(target, target_factor, options);
    for (const Encoded& one : encoded_columns(setting)) {
      Score score;
      scorer.score(one.block, {}, {&score, 1});
      const Factor factor = test::make_factor(one.block.view(0), options);
      const double f = redundancy(factor, target_factor);
      EXPECT_GE(score.relevance, f) << one.name;
      EXPECT_LE(score.relevance - score.error, f) << one.name;
      EXPECT_GE(score.norm, factor.norm) << one.name;
      if (is_coded(one.block.headers[0].encoding)) {
        EXPECT_NEAR(score.relevance, f, 3e-6 * f + 1e-9) << one.name;
        EXPECT_NEAR(score.norm / factor.norm, 1.0, 3e-6) << one.name;
      }
    }
  }
}

// Counts from 0 to `largest`, most of them 0; with absent ones, and more of one than a byte can count.
std::vector<double> sparse_counts(int n, int largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> column(static_cast<std::size_t>(n), 0.0);
  for (double& value : column) {
    if (random() % 6 != 0) continue;
    const auto count = static_cast<double>(1 + random() % static_cast<unsigned>(largest));
    value = count == 3.0 ? 1.0 : count;
  }
  column[1] = largest;
  return column;
}

FeatureBlock sparse_block_of(const std::vector<double>& column) {
  std::vector<std::int32_t> rows;
  std::vector<float> values;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] == 0.0 && i % 7 != 0) continue;  // some zeros are stored
    rows.push_back(static_cast<std::int32_t>(i));
    values.push_back(static_cast<float>(column[i]));
  }
  FeatureBlock block;
  block.clear(std::ssize(column));
  encode_sparse<std::int32_t, float>(rows, values, checksum_multipliers(std::ssize(column)), 0, block);
  return block;
}

// 65,536 is where sample numbers become wider.
TEST(SparseCounts, AreScoredLikeDenseOnes) {
  for (const int n : {200, 3000, 65536, 65537}) {
    for (const int classes : {2, 3}) {
      const Target target = test::class_target(test::sample_labels(n, classes, 5), classes);
      const KernelOptions options;
      const Factor target_factor = test::make_factor(target, options);
      const Scorer scorer(target, target_factor, options);
      KernelOptions ranks;
      ranks.sigma = kMixedWidths;
      ranks.transform = Transform::kRank;
      const Scorer scorer_of_ranks(target, target_factor, ranks);
      for (int largest = 1; largest <= 10; ++largest) {
        const std::vector<double> column = sparse_counts(n, largest, static_cast<std::uint64_t>(largest));
        const FeatureBlock sparse = sparse_block_of(column);
        ASSERT_EQ(sparse.headers[0].encoding, Encoding::kSparseCodes);
        std::vector<double> values(column.size());
        sparse.view(0).copy_values(values);
        EXPECT_EQ(values, column);
        const FeatureBlock dense = test::block_of(column, Encoding::kCodes);
        Score of_sparse;
        Score of_dense;
        scorer.score(sparse, {}, {&of_sparse, 1});
        scorer.score(dense, {}, {&of_dense, 1});
        EXPECT_NEAR(of_sparse.relevance, of_dense.relevance, 1e-9 * of_dense.relevance + 1e-13) << n << " " << largest;
        EXPECT_NEAR(of_sparse.norm / of_dense.norm, 1.0, 1e-9) << n << " " << largest;
        EXPECT_TRUE(are_copies(sparse.view(0), dense.view(0)));
        Score sparse_ranks;
        Score dense_ranks;
        scorer_of_ranks.score(sparse, {}, {&sparse_ranks, 1});
        scorer_of_ranks.score(dense, {}, {&dense_ranks, 1});
        EXPECT_NEAR(sparse_ranks.relevance, dense_ranks.relevance, 1e-9 * dense_ranks.relevance + 1e-12) << largest;
        EXPECT_NEAR(sparse_ranks.norm / dense_ranks.norm, 1.0, 1e-9) << n << " " << largest;
        const SketchBasis basis(options.sigma);
        const Sketch sketch = gaussian_sketch(sparse.view(0), basis, 1.0 / of_sparse.norm, KernelOptions{});
        const Sketch other = gaussian_sketch(dense.view(0), basis, 1.0 / of_sparse.norm, KernelOptions{});
        EXPECT_NEAR(sketch_bound(sketch, sketch, 4), sketch_bound(other, other, 4), 1e-9) << n << " " << largest;
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::to_string(info.param.samples) + "_" + std::string(to_string(info.param.missing)) +
         (info.param.with_missing ? "" : "_none");
}

INSTANTIATE_TEST_SUITE_P(Cases, EncodingContract,
                         testing::Values(Case{9, Missing::kError, false}, Case{133, Missing::kError, false},
                                         Case{602, Missing::kIgnore, false}, Case{37, Missing::kMean, true},
                                         Case{37, Missing::kIgnore, true}, Case{37, Missing::kLevel, true},
                                         Case{302, Missing::kMean, true}, Case{302, Missing::kIgnore, true},
                                         Case{302, Missing::kLevel, true}),
                         name_of);

}  // namespace
}  // namespace land
