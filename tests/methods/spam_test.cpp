// Sparse additive models: as plain back-fitting over n x n smoother matrices has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "land/base/error.h"
#include "land/base/resident_memory.h"
#include "land/methods/additive/smoothers.h"
#include "land/methods/linear/responses.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::threads;
using test::both::select;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

SelectOptions options(std::int64_t m, Missing missing = Missing::kError) {
  SelectOptions result;
  result.method = "spam";
  result.features = m;
  result.kernel.missing = missing;
  return result;
}

// K (K + mu I)^-1 of trace 4; where K has no more than 4 eigenvalues, the projection onto what it spans.
Eigen::MatrixXd plain_smoother(const Eigen::MatrixXd& kernel) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(kernel);
  const Eigen::VectorXd e = solver.eigenvalues().cwiseMax(0.0);
  const double largest = e.maxCoeff();
  Eigen::VectorXd s = Eigen::VectorXd::Zero(e.size());
  if ((e.array() > 1e-10 * largest).count() <= 4) {
    for (Eigen::Index j = 0; j < e.size(); ++j) s[j] = e[j] > 1e-10 * largest ? 1.0 : 0.0;
  } else {
    double low = 1e-14 * largest;
    double high = e.sum();
    for (int t = 0; t < 200; ++t) {
      const double mu = std::sqrt(low * high);
      ((e.array() / (e.array() + mu)).sum() > 4.0 ? low : high) = mu;
    }
    s = e.array() / (e.array() + low);
  }
  return solver.eigenvectors() * s.asDiagonal() * solver.eigenvectors().transpose();
}

Eigen::MatrixXd plain_target(const Target& target) {
  const auto n = static_cast<Eigen::Index>(target.size());
  if (!target.has_classes()) return test::standardised(target.values);
  const auto classes = static_cast<Eigen::Index>(target.class_names.size());
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(n, classes);
  for (Eigen::Index i = 0; i < n; ++i) y(i, target.labels[static_cast<std::size_t>(i)]) = 1.0;
  if (classes > 2) return y.rowwise() - y.colwise().mean();
  return test::standardised({y.col(1).data(), y.col(1).data() + n});
}

struct Plain {
  std::vector<Eigen::MatrixXd> smoothers;  // empty: a constant feature
  Eigen::MatrixXd y;

  double root() const { return std::sqrt(static_cast<double>(y.rows())); }

  double lambda_max() const {
    double largest = 0.0;
    for (const Eigen::MatrixXd& s : smoothers)
      largest = std::max(largest, s.size() > 0 ? (s * y).norm() / root() : 0.0);
    return largest;
  }

  // The norms of all components at lambda, by sweeps over all features.
  std::vector<double> fit(double lambda) const {
    std::vector<Eigen::MatrixXd> g(smoothers.size(), Eigen::MatrixXd::Zero(y.rows(), y.cols()));
    Eigen::MatrixXd rest = y;
    for (int sweep = 0; sweep < 20000; ++sweep) {
      double change = 0.0;
      for (std::size_t k = 0; k < g.size(); ++k) {
        if (smoothers[k].size() == 0) continue;
        const Eigen::MatrixXd p = smoothers[k] * (rest + g[k]);
        const double size = p.norm() / root();
        const Eigen::MatrixXd next =
            size > lambda ? Eigen::MatrixXd((1.0 - lambda / size) * p) : Eigen::MatrixXd::Zero(y.rows(), y.cols());
        rest += g[k] - next;
        change = std::max(change, (next - g[k]).norm());
        g[k] = next;
      }
      if (change < 1e-12) break;
    }
    std::vector<double> norms;
    for (const Eigen::MatrixXd& one : g) norms.push_back(one.norm() / root());
    return norms;
  }
};

constexpr std::size_t kConstant = 5;

struct Data {
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> nominal;
  Table table() const {
    Table result = test::table_of_columns(columns);
    result.nominal.features = nominal;
    return result;
  }
  Plain plain(const Target& target, Missing missing) const {
    Plain result;
    result.y = plain_target(target);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k == kConstant) {
        result.smoothers.emplace_back();
      } else if (std::find(nominal.begin(), nominal.end(), static_cast<std::int64_t>(k)) != nominal.end()) {
        result.smoothers.push_back(
            plain_smoother(test::classes(std::vector<int>(columns[k].begin(), columns[k].end()))));
      } else {
        result.smoothers.push_back(plain_smoother(test::gaussian(columns[k], missing)));
      }
    }
    return result;
  }
};

// Numbers, counts, genotypes, a nominal and a constant one; some of them missing a value.
Data data_of(int n, int d, std::uint64_t seed, bool lacking) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Data data;
  for (std::size_t k = 0; k < static_cast<std::size_t>(d); ++k) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) {
      double x = normal(random);
      if (k % 4 == 1) x = static_cast<double>(random() % 3);
      if (k % 7 == 2) x = std::round(2.0 * x);
      if (k == 3) x = static_cast<double>(random() % 5);
      if (k == kConstant) x = 2.5;
      if (lacking && k != 3 && k != kConstant && random() % 12 == 0) x = kNone;
      column.push_back(x);
    }
    data.columns.push_back(column);
  }
  data.nominal = {3};
  return data;
}

double known(double x) { return std::isnan(x) ? 0.0 : x; }

Target target_of(const Data& data, int classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> y;
  for (std::size_t i = 0; i < data.columns[0].size(); ++i) {
    const auto x = [&](std::size_t k) { return known(data.columns[k][i]); };
    y.push_back(std::pow(x(0), 2) + std::sin(2.0 * x(4)) + 0.7 * x(1) + (x(3) == 2.0 ? 1.0 : 0.0) +
                0.3 * normal(random));
  }
  if (classes == 0) return test::numeric_target(y);
  std::vector<double> sorted = y;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> labels;
  for (const double value : y) {
    const auto rank = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
    labels.push_back(static_cast<int>(rank * classes / std::ssize(y)));
  }
  return test::class_target(labels, classes);
}

double figure(const Result& result, const std::string& name) {
  for (const auto& [key, value] : result.figures) {
    if (key == name) return value;
  }
  return kNone;
}

TEST(Spam, IsPlainBackFitting) {
  for (std::uint64_t seed = 1; seed <= 18; ++seed) {
    const int classes = seed % 3 == 0 ? 0 : 1 + static_cast<int>(seed % 3);  // 0, 2 or 3
    const Missing missing = std::vector{Missing::kError, Missing::kMean, Missing::kIgnore, Missing::kLevel}[seed % 4];
    const Data data = data_of(40 + static_cast<int>(seed) % 20, 12, seed, missing != Missing::kError);
    const Target target = target_of(data, classes, seed);
    const Plain plain = data.plain(target, missing);
    for (const int m : {1, 4}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", m " << m << ", classes " << classes);
      const Result result = select(data.table(), target, options(m, missing), threads(2));
      EXPECT_NEAR(figure(result, "lambda_max"), plain.lambda_max(), 1e-5);
      EXPECT_EQ(std::ssize(result.selected), m);
      std::vector<double> found(data.columns.size(), 0.0);
      for (const SelectedFeature& feature : result.selected) {
        found[static_cast<std::size_t>(feature.index)] = *feature.score;
      }
      const std::vector<double> expected = plain.fit(figure(result, "lambda"));
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 2e-5) << k;
    }
  }
}

// Those that were taken earlier came in at a larger lambda.
TEST(Spam, OrderIsThatOfEntry) {
  const Data data = data_of(50, 12, 77, false);
  const Target target = target_of(data, 0, 5);
  const Plain plain = data.plain(target, Missing::kError);
  const Result result = select(data.table(), target, options(6), threads(2));
  std::vector<int> entered(data.columns.size(), -1);
  for (int t = 1; t < 100; ++t) {
    const double lambda = plain.lambda_max() * std::pow(1e-3, t / 99.0);
    if (lambda < figure(result, "lambda")) break;
    const std::vector<double> norms = plain.fit(lambda);
    for (std::size_t k = 0; k < norms.size(); ++k) {
      entered[k] = norms[k] < 1e-7 ? -1 : entered[k] < 0 ? t : entered[k];
    }
  }
  int last = 0;
  for (const SelectedFeature& feature : result.selected) {
    const int at = entered[static_cast<std::size_t>(feature.index)];
    if (at < 0) continue;  // in the last interval
    EXPECT_GE(at, last);
    last = at;
  }
  EXPECT_GT(last, 1);
}

TEST(Spam, CopiesStayOut) {
  Data data = data_of(50, 9, 12, false);
  std::vector<double> mirrored;
  for (const double x : data.columns[0]) mirrored.push_back(1.0 - 3.0 * x);
  data.columns.push_back(mirrored);
  data.columns.push_back(data.columns[1]);
  const Result result = select(data.table(), target_of(data, 0, 3), options(11), threads(2));
  std::set<std::int64_t> taken;
  for (const SelectedFeature& feature : result.selected) taken.insert(feature.index);
  EXPECT_TRUE(taken.contains(0));
  EXPECT_TRUE(taken.contains(1));
  EXPECT_FALSE(taken.contains(5)) << "it is constant";
  EXPECT_FALSE(taken.contains(9));
  EXPECT_FALSE(taken.contains(10));
}

TEST(Spam, SameBitsForAnyThreadsBlocksAndMemory) {
  const Data data = data_of(60, 150, 9, false);
  for (const int classes : {0, 3}) {
    const Target target = target_of(data, classes, 4);
    const auto bits = [&](int count, std::int64_t block, std::int64_t memory) {
      SelectOptions given = options(10);
      given.block_size = block;
      Context context = threads(count);
      context.memory = memory;
      Result result = test::local::select(data.table(), target, given, context);
      result.options = {};
      return test::json_without_times(result);
    };
    const std::string expected = bits(1, 0, 0);
    EXPECT_EQ(bits(3, 0, 0), expected);
    EXPECT_EQ(bits(2, 1, 0), expected);
    EXPECT_EQ(bits(2, 40, std::int64_t{1} << 30), expected);
  }
}

// What is not held is made again, the same.
TEST(Spam, SmoothersAreTheSameWhateverIsHeld) {
  const Data data = data_of(60, 40, 9, false);
  const Target target = target_of(data, 3, 4);
  const Context context = threads(2);
  const SelectOptions asked = options(5);
  const Table table = data.table();
  LocalRun local(table, Missing::kError, 0, context);
  const Setting setting{asked, context, local.engine, local.pool, target, 0, {}, {}};
  std::vector<FeatureId> ids = {0, 1, 2, 3, 4, 6, 7, 20, 33};
  const std::vector<std::size_t> positions = {0, 1, 3, 5, 8};
  const Responses responses = make_responses(target);
  const auto sizes = [&](std::int64_t memory) {
    Smoothers smoothers(setting, ids, memory);
    std::vector<double> all;
    for (int pass = 0; pass < 3; ++pass) {
      std::vector<double> found(positions.size());
      smoothers.sizes(positions, responses.values, found);
      all.insert(all.end(), found.begin(), found.end());
    }
    return all;
  };
  const std::vector<double> held = sizes(std::int64_t{1} << 30);
  EXPECT_EQ(sizes(0), held);
  EXPECT_EQ(sizes(10'000), held);  // room for one or two
  EXPECT_GT(held.front(), 0.0);
}

TEST(Spam, EveryEngineAndEncoding) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const Result result = select(one.table, test::engine_classes(), options(6, one.missing), threads(2));
    EXPECT_LE(std::ssize(result.selected), 6);
    EXPECT_FALSE(result.selected.empty());
  }
}

TEST(Spam, RefusesWhatDoesNotFit) {
  const Data data = data_of(3000, 40, 9, false);
  Context context = threads(1);
  SelectOptions given = options(40);
  std::vector<std::vector<double>> columns;
  for (int t = 0; t < 8; ++t) columns.insert(columns.end(), data.columns.begin(), data.columns.end());
  given.features = 300;
  const Table table = test::table_of_columns(columns);
  // Enough for scores, and not for the smoothers: besides what the test takes, which is much with sanitizers.
  context.memory = resident_memory().all + (std::int64_t{80} << 20U);
  try {
    test::local::select(table, target_of(data, 2, 1), given, context);
    FAIL() << "it was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the smoothers of 301 features x 3000 samples take"));
  }
}

}  // namespace
}  // namespace land
