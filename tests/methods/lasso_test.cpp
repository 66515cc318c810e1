// The linear lasso: knots as a plain LARS has them, the conditions of optimality from the values themselves, groups as
// plain coordinate descent has them; any engine, encoding, number of threads and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "land/base/error.h"
#include "land/methods/linear/linear_path.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::threads;
using test::both::select;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

SelectOptions options(std::int64_t m, Missing missing = Missing::kError) {
  SelectOptions result;
  result.method = "lasso";
  result.features = m;
  result.kernel.missing = missing;
  return result;
}

// Centred and scaled; the mean for what is missing; zero if constant.
Eigen::VectorXd plain_column(std::vector<double> values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    sum += x;
    count += 1.0;
  }
  double squares = 0.0;
  for (double& x : values) {
    x = std::isnan(x) ? 0.0 : x - sum / count;
    squares += x * x;
  }
  const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
  Eigen::VectorXd column(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    column[static_cast<Eigen::Index>(i)] = deviation > 1e-12 ? values[i] / deviation : 0.0;
  }
  return column;
}

// Every column of a table, whatever it is encoded as.
Eigen::MatrixXd plain_columns(const Table& table, Missing missing) {
  Eigen::MatrixXd x(table.samples(), table.features());
  for (std::int64_t k = 0; k < table.features(); ++k) {
    FeatureBlock block;
    table.source(missing)->gather({&k, 1}, block);
    std::vector<double> values;
    for (std::int64_t i = 0; i < table.samples(); ++i) values.push_back(block.view(0).value(i));
    x.col(k) = plain_column(values);
  }
  return x;
}

// One column for numbers and two classes, else an indicator of each class, centred.
Eigen::MatrixXd plain_target(const Target& target) {
  const auto n = static_cast<Eigen::Index>(target.size());
  if (!target.has_classes()) return plain_column(target.values);
  const auto classes = static_cast<Eigen::Index>(target.class_names.size());
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(n, classes);
  for (Eigen::Index i = 0; i < n; ++i) y(i, target.labels[static_cast<std::size_t>(i)]) = 1.0;
  if (classes > 2) return y.rowwise() - y.colwise().mean();
  return plain_column({y.col(1).data(), y.col(1).data() + n});
}

struct PlainKnot {
  double lambda;
  Eigen::VectorXd b;
};

// LARS with drops by the book: all correlations, and one decomposition, at every event. For problems without ties.
std::vector<PlainKnot> plain_lars(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, std::int64_t m) {
  const Eigen::Index d = x.cols();
  const double n = static_cast<double>(x.rows());
  Eigen::VectorXd b = Eigen::VectorXd::Zero(d);
  std::vector<double> sign(static_cast<std::size_t>(d), 0.0);  // 0: not active
  Eigen::VectorXd c = x.transpose() * y / n;
  Eigen::Index who = 0;
  double lambda = c.cwiseAbs().maxCoeff(&who);
  bool entering = true;
  std::vector<PlainKnot> knots;
  while (true) {
    knots.push_back({lambda, b});
    std::vector<Eigen::Index> active;
    if (entering) {
      if (std::count_if(sign.begin(), sign.end(), [](double s) { return s != 0.0; }) == m) return knots;
      sign[static_cast<std::size_t>(who)] = c[who] > 0.0 ? 1.0 : -1.0;
    } else {
      sign[static_cast<std::size_t>(who)] = 0.0;
    }
    for (Eigen::Index k = 0; k < d; ++k) {
      if (sign[static_cast<std::size_t>(k)] != 0.0) active.push_back(k);
    }
    Eigen::MatrixXd a(x.rows(), static_cast<Eigen::Index>(active.size()));
    Eigen::VectorXd s(a.cols());
    for (Eigen::Index t = 0; t < a.cols(); ++t) {
      a.col(t) = x.col(active[static_cast<std::size_t>(t)]);
      s[t] = sign[static_cast<std::size_t>(active[static_cast<std::size_t>(t)])];
    }
    const Eigen::VectorXd direction = (a.transpose() * a / n).ldlt().solve(s);  // of b as lambda falls by 1
    const Eigen::VectorXd slope = x.transpose() * (a * direction) / n;          // by which c falls
    const Eigen::Index before = who;
    const bool entered = entering;
    double step = lambda;
    who = -1;
    for (Eigen::Index k = 0; k < d; ++k) {
      if (sign[static_cast<std::size_t>(k)] != 0.0) continue;
      const double least = k == before && !entered ? 1e-9 * lambda : 0.0;  // it has dropped just here
      // c - step slope = +-(lambda - step)
      for (const double at : {(lambda - c[k]) / (1.0 - slope[k]), (lambda + c[k]) / (1.0 + slope[k])}) {
        if (at > least && at < step) {
          step = at;
          who = k;
          entering = true;
        }
      }
    }
    for (Eigen::Index t = 0; t < a.cols(); ++t) {
      const Eigen::Index k = active[static_cast<std::size_t>(t)];
      const double at = -b[k] / direction[t];
      if (k != before && at > 0.0 && at < step) {
        step = at;
        who = k;
        entering = false;
      }
    }
    lambda -= step;
    const Eigen::VectorXd there = (a.transpose() * a).ldlt().solve(a.transpose() * y - n * lambda * s);
    for (Eigen::Index t = 0; t < a.cols(); ++t) b[active[static_cast<std::size_t>(t)]] = there[t];
    if (who >= 0 && !entering) b[who] = 0.0;
    c = x.transpose() * (y - x * b) / n;
    if (who < 0) {
      knots.push_back({0.0, b});
      return knots;
    }
  }
}

// The group lasso by sweeps over all features until nothing changes.
Eigen::MatrixXd plain_groups(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y, double lambda) {
  const double n = static_cast<double>(x.rows());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(x.cols(), y.cols());
  Eigen::MatrixXd r = y;
  for (int sweep = 0; sweep < 200000; ++sweep) {
    double change = 0.0;
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      if (x.col(k).isZero()) continue;
      const Eigen::RowVectorXd s = x.col(k).transpose() * r / n + b.row(k);
      const Eigen::RowVectorXd next = std::max(0.0, 1.0 - lambda / s.norm()) * s;
      r -= x.col(k) * (next - b.row(k));
      change = std::max(change, (next - b.row(k)).norm());
      b.row(k) = next;
    }
    if (change < 1e-14) break;
  }
  return b;
}

Eigen::VectorXd coefficients(const PathStep& step, Eigen::Index d) {
  Eigen::VectorXd b = Eigen::VectorXd::Zero(d);
  for (const auto& [k, value] : step.coefficients) b[k] = value;
  return b;
}

// The conditions of optimality at every knot of a result of one response.
void expect_optimal(const Result& result, const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const double scale = result.path.front().lambda;
  EXPECT_NEAR(scale, (x.transpose() * y / static_cast<double>(x.rows())).cwiseAbs().maxCoeff(), 1e-12);
  for (const PathStep& step : result.path) {
    const Eigen::VectorXd b = coefficients(step, x.cols());
    const Eigen::VectorXd c = x.transpose() * (y - x * b) / static_cast<double>(x.rows());
    EXPECT_LE(c.cwiseAbs().maxCoeff(), step.lambda + 1e-9 * scale);
    for (const auto& [k, value] : step.coefficients) {
      EXPECT_NEAR(value == 0.0 ? std::abs(c[k]) : c[k], value < 0.0 ? -step.lambda : step.lambda, 1e-9 * scale);
      EXPECT_FALSE(x.col(k).isZero());
    }
  }
}

std::vector<std::vector<double>> columns_of(int n, int d, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns;
  for (int k = 0; k < d; ++k) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) {
      double value = normal(random);
      if (k >= 2 && k % 3 == 0) value += 1.5 * columns[static_cast<std::size_t>(k - 2)][static_cast<std::size_t>(i)];
      if (k >= 3 && k % 5 == 4) value -= columns[static_cast<std::size_t>(k - 3)][static_cast<std::size_t>(i)];
      column.push_back(k % 7 == 6 ? std::round(value) : value);
    }
    columns.push_back(column);
  }
  return columns;
}

Target number_target(const std::vector<std::vector<double>>& columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> y(columns[0].size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = 5.0 + normal(random);
    for (std::size_t k = 0; k < columns.size(); k += 2) y[i] += (k % 4 == 0 ? 1.0 : -0.8) * columns[k][i];
  }
  return test::numeric_target(y);
}

TEST(Lasso, KnotsAreThoseOfPlainLars) {
  int drops = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int n = 12 + static_cast<int>(seed % 5) * 9;
    const int d = 3 + static_cast<int>(seed % 7) * 6;
    const auto columns = columns_of(n, d, seed);
    const Target target =
        seed % 3 == 0 ? test::class_target(test::sample_labels(n, 2, seed), 2) : number_target(columns, seed + 100);
    const Eigen::MatrixXd x = plain_columns(test::table_of_columns(columns), Missing::kError);
    for (const int m : {1, 4, 20}) {
      if (m >= n - 1) continue;
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", m " << m);
      const Result result = select(test::table_of_columns(columns), target, options(m), threads(2));
      const std::vector<PlainKnot> expected = plain_lars(x, plain_target(target), m);
      ASSERT_EQ(result.path.size(), expected.size());
      for (std::size_t t = 0; t < expected.size(); ++t) {
        EXPECT_NEAR(result.path[t].lambda, expected[t].lambda, 1e-10);
        EXPECT_LT((coefficients(result.path[t], d) - expected[t].b).cwiseAbs().maxCoeff(), 1e-9);
        drops += result.path[t].event == PathStep::Event::kDrop ? 1 : 0;
      }
      EXPECT_TRUE(result.certificate->valid);
      EXPECT_EQ(result.certificate->features_evaluated, d);
      EXPECT_EQ(result.stopped, expected.back().lambda > 0.0 ? "m_reached" : "no_candidate");
    }
  }
  EXPECT_GT(drops, 10) << "the problems must make features drop";
}

TEST(Lasso, OptimalOnEveryEncodingAndEngine) {
  for (const test::EngineTable& one : test::engine_tables()) {
    if (!one.table.nominal.features.empty()) continue;
    SCOPED_TRACE(one.name);
    const Result result = select(one.table, test::engine_numbers(), options(25, one.missing), threads(2));
    EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
    expect_optimal(result, plain_columns(one.table, one.missing), plain_target(test::engine_numbers()));
    EXPECT_EQ(std::ssize(result.selected), std::min<std::int64_t>(25, one.table.features()));
  }
}

TEST(Lasso, GroupsAreThoseOfCoordinateDescent) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const int n = 30 + static_cast<int>(seed % 3) * 20;
    const int d = 5 + static_cast<int>(seed % 4) * 10;
    const int classes = 3 + static_cast<int>(seed % 3);
    const auto columns = columns_of(n, d, seed);
    std::vector<int> labels = test::sample_labels(n, classes, seed);
    for (int i = classes; i < n; ++i) {
      if (columns[2][static_cast<std::size_t>(i)] > 1.0) labels[static_cast<std::size_t>(i)] = 1;
      if (columns[4][static_cast<std::size_t>(i)] > 1.5) labels[static_cast<std::size_t>(i)] = 2;
    }
    const Target target = test::class_target(labels, classes);
    const Table table = test::table_of_columns(columns);
    const Eigen::MatrixXd x = plain_columns(table, Missing::kError);
    const Eigen::MatrixXd y = plain_target(target);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Result result = select(table, target, options(8), threads(2));
    EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
    for (const PathStep& step : result.path) {
      if (step.lambda < 1e-3 * result.path.front().lambda) continue;  // the sweeps take too long
      const Eigen::MatrixXd b = plain_groups(x, y, step.lambda);
      EXPECT_LT((coefficients(step, d) - b.rowwise().norm()).cwiseAbs().maxCoeff(), 1e-8) << step.lambda;
      const Eigen::VectorXd c = (x.transpose() * (y - x * b) / n).rowwise().norm();
      if (step.index) {
        EXPECT_NEAR(c[*step.index], step.lambda, 1e-9);
      }
    }
  }
}

TEST(Lasso, GroupsOnEveryEncodingAndEngine) {
  for (const test::EngineTable& one : test::engine_tables()) {
    if (!one.table.nominal.features.empty()) continue;
    SCOPED_TRACE(one.name);
    const Result result = select(one.table, test::engine_classes(), options(12, one.missing), threads(2));
    EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
    const Eigen::MatrixXd b = plain_groups(plain_columns(one.table, one.missing), plain_target(test::engine_classes()),
                                           result.path.back().lambda);
    if (*result.lambda > 1e-6) {
      EXPECT_LT((coefficients(result.path.back(), b.rows()) - b.rowwise().norm()).cwiseAbs().maxCoeff(), 1e-7);
    }
  }
}

TEST(Lasso, GroupsDropToo) {
  int drops = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto columns = columns_of(40, 30, seed + 50);
    const Target target = test::class_target(test::sample_labels(40, 3, seed), 3);
    const Result result = select(test::table_of_columns(columns), target, options(28), threads(1));
    EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
    for (const PathStep& step : result.path) drops += step.event == PathStep::Event::kDrop ? 1 : 0;
  }
  EXPECT_GT(drops, 0);
}

std::string bits(Result result) {
  result.options = {};
  return test::json_without_times(result);
}

TEST(Lasso, SameBitsForAnyThreadsAndBlocks) {
  const auto columns = columns_of(60, 200, 7);
  const Table table = test::table_of_columns(columns);
  for (const Target& target : {number_target(columns, 3), test::class_target(test::sample_labels(60, 3, 4), 3)}) {
    const std::string expected = bits(test::local::select(table, target, options(20), threads(1)));
    for (const int count : {2, 5}) {
      for (const std::int64_t block : {0, 1, 33}) {
        SelectOptions other = options(20);
        other.block_size = block;
        EXPECT_EQ(bits(test::local::select(table, target, other, threads(count))), expected);
      }
    }
  }
}

// Without room for a copy of the columns, features are visited again.
TEST(Lasso, SameBitsWithoutMemory) {
  const auto columns = columns_of(60, 200, 7);
  const Table table = test::table_of_columns(columns);
  const Context context = threads(2);
  const SelectOptions asked = options(20);
  LocalRun local(table, Missing::kError, 0, context);
  const std::vector<double> bounds(columns.size(), 1.0);
  for (const Target& target : {number_target(columns, 3), test::class_target(test::sample_labels(60, 3, 4), 3)}) {
    const Responses responses = make_responses(target);
    const auto path = [&](std::int64_t memory) {
      const Setting setting{asked, context, local.engine, local.pool, target, memory, bounds, {}};
      return responses.columns == 1 ? solve_lasso_path(setting, responses) : solve_group_path(setting, responses);
    };
    const LinearPath held = path(std::int64_t{1} << 30);
    const LinearPath visited = path(0);
    EXPECT_EQ(held.rows, visited.rows);
    ASSERT_EQ(held.path.knots.size(), visited.path.knots.size());
    for (std::size_t t = 0; t < held.path.knots.size(); ++t) {
      EXPECT_EQ(held.path.knots[t].lambda, visited.path.knots[t].lambda);
    }
  }
}

// The mirrored, shifted and scaled copy never enters beside its original; nor does what is within the span of others.
TEST(Lasso, CopiesAndTiesGoToTheLowestIndex) {
  for (const int classes : {0, 3}) {
    auto columns = columns_of(50, 12, 11);
    columns.push_back(columns[4]);
    std::vector<double> mirrored;
    for (const double x : columns[2]) mirrored.push_back(3.0 - 2.0 * x);
    columns.insert(columns.begin() + 1, mirrored);  // before its original, which is now 3
    std::vector<double> sum;
    for (std::size_t i = 0; i < 50; ++i) sum.push_back(columns[0][i] + columns[6][i]);
    columns.push_back(sum);
    columns.push_back(std::vector<double>(50, 4.0));
    const Target target =
        classes == 0 ? number_target(columns, 5) : test::class_target(test::sample_labels(50, classes, 6), classes);
    const Table table = test::table_of_columns(columns);
    const Result result = select(table, target, options(100), threads(2));
    EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
    std::set<std::int64_t> ever;
    for (const PathStep& step : result.path) {
      for (const auto& [k, value] : step.coefficients) ever.insert(k);
    }
    EXPECT_TRUE(ever.contains(1));
    EXPECT_FALSE(ever.contains(3));
    EXPECT_TRUE(ever.contains(5));
    EXPECT_FALSE(ever.contains(13));
    EXPECT_FALSE(ever.contains(15));
    for (const SelectedFeature& feature : result.selected) {
      const std::vector<std::int64_t> twin = feature.index == 1   ? std::vector<std::int64_t>{3}
                                             : feature.index == 5 ? std::vector<std::int64_t>{13}
                                                                  : std::vector<std::int64_t>{};
      EXPECT_EQ(feature.identical, twin) << feature.index;
    }
    if (classes == 0) expect_optimal(result, plain_columns(table, Missing::kError), plain_target(target));
  }
}

// More features than samples, and as many asked for: the active features span everything in the end.
TEST(Lasso, EndsWhereTheSamplesEnd) {
  const auto columns = columns_of(15, 60, 21);
  const Table table = test::table_of_columns(columns);
  const Target numbers = number_target(columns, 5);
  const Result result = select(table, numbers, options(50), threads(2));
  EXPECT_TRUE(result.certificate->valid) << result.certificate->max_violation;
  expect_optimal(result, plain_columns(table, Missing::kError), plain_target(numbers));
  EXPECT_LE(result.selected.size(), 14);
  EXPECT_EQ(*result.lambda, 0.0);
  const Target classes = test::class_target(test::sample_labels(15, 3, 2), 3);
  const Result groups = select(table, classes, options(50), threads(2));
  EXPECT_TRUE(groups.certificate->valid) << groups.certificate->max_violation;
}

// Features that differ from combinations of three by a millionth, ties and copies: what is reported is an optimum.
TEST(Lasso, ValidWhereFeaturesAreNearlyCollinear) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int t = 0; t < 40; ++t) {
    const int n = 8 + static_cast<int>(random() % 30);
    const auto base = columns_of(n, 3, random());
    std::vector<std::vector<double>> columns;
    for (int k = 0; k < 25; ++k) {
      std::vector<double> column(static_cast<std::size_t>(n), 0.0);
      for (const auto& one : base) {
        const double weight = normal(random);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] += weight * one[i];
      }
      for (double& x : column) x = t % 3 == 0 ? std::round(x) : x + (t % 3 == 1 ? 1e-6 : 0.0) * normal(random);
      columns.push_back(column);
    }
    const int classes = t % 4;
    const Target target = classes < 2 ? number_target(columns, random())
                                      : test::class_target(test::sample_labels(n, classes, random()), classes);
    const Result result = test::local::select(test::table_of_columns(columns), target, options(20), threads(1));
    EXPECT_TRUE(result.certificate->valid)
        << t << ": " << result.certificate->max_violation << ", " << result.certificate->parked_violation;
  }
}

TEST(Lasso, MissingValuesAreTheMean) {
  auto columns = columns_of(40, 20, 31);
  std::mt19937_64 random(5);
  for (auto& column : columns) {
    for (double& x : column) x = random() % 10 == 0 ? kNone : x;
  }
  const Table table = test::table_of_columns(columns);
  std::vector<double> y;
  for (int i = 0; i < 40; ++i) y.push_back(static_cast<double>(random() % 1000));
  const Target target = test::numeric_target(y);
  const Result mean = select(table, target, options(10, Missing::kMean), threads(1));
  expect_optimal(mean, plain_columns(table, Missing::kMean), plain_target(target));
  for (const Missing missing : {Missing::kIgnore, Missing::kLevel}) {
    const Result other = select(table, target, options(10, missing), threads(1));
    ASSERT_EQ(other.path.size(), mean.path.size());
    for (std::size_t t = 0; t < mean.path.size(); ++t) EXPECT_EQ(other.path[t].coefficients, mean.path[t].coefficients);
  }
}

TEST(Lasso, RefusesNominalFeatures) {
  Table table = test::table_of_columns(columns_of(40, 7, 31));
  table.nominal.features = {6};
  try {
    select(table, test::class_target(test::sample_labels(40, 2, 1), 2), options(2), threads(1));
    FAIL() << "nominal features were taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("nominal features have no linear effect, and there is 1"));
  }
}

}  // namespace
}  // namespace land
