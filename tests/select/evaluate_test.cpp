// Judging: metrics against plain loops, folds, what a selection of fewer would be, and that held-out samples have no
// part in a selection.
#include "land/commands/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/spelling.h"
#include "land/judging/folds.h"
#include "land/judging/independence.h"
#include "land/judging/set_dependence.h"
#include "land/judging/sets.h"
#include "land/report/json.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::threads;

using test::local::select;
using testing::HasSubstr;
using Numbers = std::vector<std::int64_t>;
using Matrix2 = std::vector<std::vector<double>>;

const double kMissingValue = std::numeric_limits<double>::quiet_NaN();

// --- oracles: plain loops ------------------------------------------------------------------------------------------

double plain_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0.0;
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(y[i])) continue;
    n += 1.0;
    mean_x += x[i];
    mean_y += y[i];
  }
  mean_x /= n;
  mean_y /= n;
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(y[i])) continue;
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx < 1e-20 || yy < 1e-20 ? 0.0 : xy / std::sqrt(xx * yy);
}

double plain_independence(const std::vector<JudgedColumn>& columns) {
  double sum = 0.0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) sum += std::abs(plain_correlation(columns[k].values, columns[l].values));
  }
  const auto m = static_cast<double>(columns.size());
  return columns.size() < 2 ? 1.0 : 1.0 - sum / (m * (m - 1.0));
}

// Of zero mean and unit deviation; 0 where one is missing, and everywhere if it is constant.
std::vector<double> plain_standard(const std::vector<double>& x) {
  double n = 0.0;
  double mean = 0.0;
  for (const double value : x) {
    if (std::isnan(value)) continue;
    n += 1.0;
    mean += value;
  }
  mean /= n;
  double variance = 0.0;
  for (const double value : x) variance += std::isnan(value) ? 0.0 : (value - mean) * (value - mean) / n;
  std::vector<double> u;
  for (const double value : x)
    u.push_back(std::isnan(value) || variance < 1e-20 ? 0.0 : (value - mean) / std::sqrt(variance));
  return u;
}

Matrix2 plain_centred(Matrix2 k) {
  const std::size_t n = k.size();
  std::vector<double> row(n, 0.0);
  double all = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      row[i] += k[i][j] / static_cast<double>(n);
      all += k[i][j] / static_cast<double>(n * n);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) k[i][j] += all - row[i] - row[j];
  }
  return k;
}

double plain_product(const Matrix2& a, const Matrix2& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[i][j] * b[i][j];
  }
  return sum;
}

double plain_dependence(const std::vector<JudgedColumn>& columns, const Target& target, double sigma) {
  const auto n = static_cast<std::size_t>(target.size());
  const auto m = static_cast<double>(columns.size());
  Matrix2 k(n, std::vector<double>(n, 0.0));
  Matrix2 l = k;
  for (const JudgedColumn& column : columns) {
    const std::vector<double> u = plain_standard(column.values);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) k[i][j] += (u[i] - u[j]) * (u[i] - u[j]);
    }
  }
  const std::vector<double> y = target.has_classes() ? std::vector<double>() : plain_standard(target.values);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      k[i][j] = std::exp(-k[i][j] / (2.0 * m * sigma * sigma));
      if (!target.has_classes()) {
        l[i][j] = std::exp(-(y[i] - y[j]) * (y[i] - y[j]) / (2.0 * sigma * sigma));
      } else if (target.labels[i] == target.labels[j]) {
        l[i][j] = 1.0 / static_cast<double>(std::count(target.labels.begin(), target.labels.end(), target.labels[i]));
      }
    }
  }
  k = plain_centred(k);
  l = plain_centred(l);
  const double norm = std::sqrt(plain_product(k, k) * plain_product(l, l));
  return norm < 1e-12 ? 0.0 : plain_product(k, l) / norm;
}

// --- data ----------------------------------------------------------------------------------------------------------

std::vector<JudgedColumn> random_columns(int n, int m, double lacking, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<JudgedColumn> columns;
  for (int k = 0; k < m; ++k) {
    JudgedColumn column;
    for (int i = 0; i < n; ++i) {
      const auto s = static_cast<std::size_t>(i);
      double x = normal(random);
      if (k % 4 == 1) x = 3.0 * columns.back().values[s] + x;
      if (k % 4 == 2) x = std::round(x);
      if (k % 7 == 6) x = 2.5;
      column.values.push_back(uniform(random) < lacking ? kMissingValue : x);
    }
    columns.push_back(column);
  }
  return columns;
}

Target random_target(int n, int classes, std::uint64_t seed) {
  if (classes > 0) return test::class_target(test::sample_labels(n, classes, seed), classes);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(normal(random));
  return test::numeric_target(values);
}

struct Judge {
  WorkerPool pool{2};
  Context context;
  double independence(const std::vector<JudgedColumn>& columns) { return independence_rate(columns, pool, context); }
  std::optional<double> dependence(const std::vector<JudgedColumn>& columns, const Target& target, double sigma = 1.0) {
    return set_dependence(columns, target, sigma, pool, context);
  }
};

// A factor model on whose path features drop.
Table dropping_table(std::uint64_t seed, std::vector<double>& target) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix2 factors(4, std::vector<double>(60));
  for (auto& factor : factors) {
    for (double& value : factor) value = normal(random);
  }
  Matrix2 columns;
  for (int k = 0; k < 80; ++k) {
    std::vector<double> column(60, 0.0);
    for (const auto& factor : factors) {
      const double weight = normal(random);
      for (std::size_t i = 0; i < 60; ++i) column[i] += weight * factor[i];
    }
    for (double& value : column) value += 0.5 * normal(random);
    columns.push_back(column);
  }
  for (std::size_t i = 0; i < 60; ++i) target.push_back(factors[0][i] + factors[1][i] * factors[1][i]);
  return test::table_of_floats(columns);
}

// --- metrics ---------------------------------------------------------------------------------------------------------

TEST(Independence, IsThatOfPlainLoops) {
  Judge judge;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double lacking : {0.0, 0.15}) {
      for (const int m : {1, 2, 9}) {
        const auto columns = random_columns(12 + static_cast<int>(seed), m, lacking, seed);
        EXPECT_NEAR(judge.independence(columns), plain_independence(columns), 1e-12) << seed;
      }
    }
  }
}

TEST(Independence, RunsFromAHalfToOne) {
  Judge judge;
  const JudgedColumn x{{1.0, 2.0, 3.0, 5.0}};
  const JudgedColumn mirrored{{-2.0, -4.0, -6.0, -10.0}};
  EXPECT_DOUBLE_EQ(judge.independence({x, mirrored, x}), 0.5);
  EXPECT_DOUBLE_EQ(judge.independence({{{1.0, 1.0, -1.0, -1.0}}, {{1.0, -1.0, 1.0, -1.0}}}), 1.0);
  EXPECT_DOUBLE_EQ(judge.independence({x, {{7.0, 7.0, 7.0, 7.0}}}), 1.0);  // constant
  EXPECT_DOUBLE_EQ(judge.independence({}), 1.0);
  EXPECT_DOUBLE_EQ(judge.independence({{{1e308, -1e308, 1e307, 0.0}}, {{1e-300, -1e-300, 1e-301, 0.0}}}), 0.5);
  EXPECT_DOUBLE_EQ(judge.independence({{{1.5e308, 1e308, 1.25e308, 0.0}}, {{6.0, 4.0, 5.0, 0.0}}}), 0.5);
}

TEST(Independence, CategoriesOfTwoAreNumbers) {
  std::mt19937_64 random(1);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> x;
  for (int i = 0; i < 50; ++i) {
    a.push_back(static_cast<double>(random() % 2));
    b.push_back(random() % 3 == 0 ? a.back() : static_cast<double>(random() % 2));
    x.push_back(static_cast<double>(random() % 100) + 20.0 * a.back());
  }
  EXPECT_NEAR(association({a, true}, {x}), std::abs(plain_correlation(a, x)), 1e-12);
  EXPECT_NEAR(association({x}, {a, true}), std::abs(plain_correlation(a, x)), 1e-12);
  EXPECT_NEAR(association({a, true}, {b, true}), std::abs(plain_correlation(a, b)), 1e-12);
  // Of three categories the numbers they have mean nothing.
  const std::vector<double> three = {0, 1, 2, 0, 1, 2};
  const std::vector<double> renamed = {5, 1, 2, 5, 1, 2};
  const std::vector<double> y = {1.0, 2.0, 7.0, 1.5, 2.5, 6.0};
  EXPECT_NEAR(association({three, true}, {y}), association({renamed, true}, {y}), 1e-12);
  EXPECT_NEAR(association({three, true}, {renamed, true}), 1.0, 1e-12);
}

TEST(SetDependence, IsThatOfPlainLoops) {
  Judge judge;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const int classes : {0, 2, 3}) {
      for (const double lacking : {0.0, 0.2}) {
        const int n = 14 + static_cast<int>(seed);
        const auto columns = random_columns(n, 1 + static_cast<int>(seed % 8), lacking, seed);
        const Target target = random_target(n, classes, seed + 100);
        for (const double sigma : {0.3, 1.0, 20.0}) {
          EXPECT_NEAR(judge.dependence(columns, target, sigma).value(), plain_dependence(columns, target, sigma), 1e-9)
              << seed << " " << classes << " " << sigma;
        }
      }
    }
  }
}

TEST(SetDependence, OfOneFeatureIsItsRelevance) {
  Judge judge;
  for (const auto& [name, table, missing] : test::engine_tables()) {
    if (missing != Missing::kError) continue;
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      SelectOptions options;
      options.method = "mr-nhsic";
      options.features = 5;
      const Result result = select(table, target, options, {});
      for (const SelectedFeature& feature : result.selected) {
        FeatureBlock block;
        table.source(missing)->gather(std::vector<std::int64_t>{feature.index}, block);
        const JudgedColumn column = judged_column(block.view(0));
        if (column.nominal) continue;
        EXPECT_NEAR(judge.dependence({column}, target).value(), feature.relevance, 1e-6) << name;
      }
    }
  }
}

TEST(SetDependence, HasEnds) {
  Judge judge;
  const Target target = test::numeric_target({1.0, 2.0, 3.5, 5.0, 4.0});
  EXPECT_NEAR(judge.dependence({{target.values}}, target).value(), 1.0, 1e-12);
  EXPECT_EQ(judge.dependence({{{3.0, 3.0, 3.0, 3.0, 3.0}}}, target), 0.0);
  EXPECT_EQ(judge.dependence({}, target), 0.0);
  EXPECT_EQ(judge.dependence({{target.values}}, test::numeric_target({2.0, 2.0, 2.0, 2.0, 2.0})), std::nullopt);
  EXPECT_EQ(judge.dependence({{target.values}}, test::class_target({0, 0, 0, 0, 0}, 1)), std::nullopt);
  // Two categories are as far apart as the two numbers.
  const JudgedColumn numbers{{0.0, 1.0, 1.0, 0.0, 1.0}};
  EXPECT_NEAR(judge.dependence({numbers}, target).value(), judge.dependence({{numbers.values, true}}, target).value(),
              1e-12);
  const JudgedColumn three{{0.0, 1.0, 2.0, 0.0, 1.0}, true};
  const JudgedColumn renamed{{9.0, 4.0, 2.0, 9.0, 4.0}, true};
  EXPECT_DOUBLE_EQ(judge.dependence({three}, target).value(), judge.dependence({renamed}, target).value());
}

TEST(SetDependence, SameBitsForAnyThreads) {
  const auto columns = random_columns(90, 6, 0.1, 3);
  for (const int classes : {0, 3}) {
    const Target target = random_target(90, classes, 4);
    const auto bits = [&](int count) {
      WorkerPool pool(count);
      return std::pair(std::bit_cast<std::uint64_t>(set_dependence(columns, target, 1.0, pool, {}).value()),
                       std::bit_cast<std::uint64_t>(independence_rate(columns, pool, {})));
    };
    for (const int count : {2, 3, 7}) EXPECT_EQ(bits(count), bits(1));
  }
}

// --- folds -----------------------------------------------------------------------------------------------------------

TEST(Folds, HoldOutEverySampleOnce) {
  for (const int classes : {0, 2, 5}) {
    for (const int n : {10, 37}) {
      const Target target = random_target(n, classes, 7);
      const std::vector<Split> splits = make_splits(target, {4, 3, 11});
      ASSERT_EQ(splits.size(), 12U);
      for (std::int64_t repeat = 0; repeat < 3; ++repeat) {
        Numbers all;
        for (std::int64_t fold = 0; fold < 4; ++fold) {
          const Split& split = splits[static_cast<std::size_t>(4 * repeat + fold)];
          EXPECT_EQ(split.repeat, repeat);
          EXPECT_EQ(split.fold, fold);
          EXPECT_TRUE(std::is_sorted(split.held_out.begin(), split.held_out.end()));
          EXPECT_TRUE(std::ssize(split.held_out) == n / 4 || std::ssize(split.held_out) == n / 4 + 1);
          const Numbers rest = others(split.held_out, n);
          EXPECT_EQ(rest.size() + split.held_out.size(), static_cast<std::size_t>(n));
          for (const std::int64_t sample : rest) {
            EXPECT_FALSE(std::binary_search(split.held_out.begin(), split.held_out.end(), sample));
          }
          all.insert(all.end(), split.held_out.begin(), split.held_out.end());
        }
        std::sort(all.begin(), all.end());
        for (int i = 0; i < n; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
      }
    }
  }
}

TEST(Folds, AreStratified) {
  const Target target = random_target(103, 3, 2);
  for (const Split& split : make_splits(target, {5, 4, 1})) {
    for (std::int32_t c = 0; c < 3; ++c) {
      const auto is_c = [&](std::int64_t i) { return target.labels[static_cast<std::size_t>(i)] == c; };
      const auto inside = std::count_if(split.held_out.begin(), split.held_out.end(), is_c);
      const auto all = std::count(target.labels.begin(), target.labels.end(), c);
      EXPECT_TRUE(inside == all / 5 || inside == all / 5 + 1) << inside << " of " << all;
    }
  }
}

std::set<Numbers> held_out(const Target& target, const FoldOptions& options) {
  std::set<Numbers> all;
  for (const Split& split : make_splits(target, options)) all.insert(split.held_out);
  return all;
}

TEST(Folds, AreThoseOfTheSeed) {
  const Target target = random_target(40, 2, 9);
  EXPECT_EQ(held_out(target, {5, 2, 3}), held_out(target, {5, 2, 3}));
  EXPECT_NE(held_out(target, {5, 2, 3}), held_out(target, {5, 2, 4}));
  EXPECT_EQ(held_out(target, {5, 6, 3}).size(), 30U);  // repeats differ
  // The same on every machine and in every version.
  const std::vector<Split> splits = make_splits(test::class_target({0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 2), {2, 1, 0});
  EXPECT_EQ(splits[0].held_out, (Numbers{0, 1, 4, 5, 8}));
}

TEST(Folds, TellOfRareClassesAndRefuseTooMany) {
  const Target target = test::class_target({0, 1, 0, 1, 0, 1, 0, 2}, 3);
  EXPECT_THAT(fold_warnings(target, {4, 1, 0}),
              testing::ElementsAre("class '1' has 3 samples, fewer than the 4 folds: some of them hold none of it",
                                   "class '2' has 1 sample, fewer than the 4 folds: some of them hold none of it"));
  EXPECT_TRUE(fold_warnings(random_target(9, 0, 1), {4, 1, 0}).empty());
  EXPECT_THROW(make_splits(target, {9, 1, 0}), InputError);
}

TEST(Folds, PartsOfTargetsHaveTheirOwnClasses) {
  const Target part = part_of(test::class_target({0, 2, 1, 2, 0}, 3), Numbers{0, 1, 3});
  EXPECT_EQ(part.labels, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(part.class_names, (std::vector<std::string>{"0", "2"}));
  EXPECT_TRUE(has_one_value(part_of(test::class_target({0, 2, 1, 2, 0}, 3), Numbers{1, 3})));
  EXPECT_EQ(part_of(test::numeric_target({1.0, 2.0, 3.0}), Numbers{2, 0}).values, (std::vector<double>{3.0, 1.0}));
}

// --- sets ------------------------------------------------------------------------------------------------------------

Numbers indices(const Result& result) {
  Numbers list;
  for (const SelectedFeature& feature : result.selected) list.push_back(feature.index);
  return list;
}

TEST(CutTo, IsWhatFewerWouldHaveGiven) {
  std::size_t dropped = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<double> numbers;
    const Table table = dropping_table(seed, numbers);
    const Target target = test::numeric_target(numbers);
    for (const char* method : {"land", "mr-nhsic"}) {
      SelectOptions options;
      options.method = method;
      options.features = 25;
      const Result largest = select(table, target, options, {});
      dropped += largest.dropped.size();
      for (std::int64_t m = 1; m <= 25; ++m) {
        options.features = m;
        EXPECT_EQ(cut_to(largest, m), indices(select(table, target, options, {}))) << method << " " << m;
      }
    }
  }
  EXPECT_GT(dropped, 0U);
}

TEST(Stability, IsTheMeanJaccardIndex) {
  EXPECT_DOUBLE_EQ(stability(std::vector<Numbers>{{3, 1}, {1, 3}}), 1.0);
  EXPECT_DOUBLE_EQ(stability(std::vector<Numbers>{{1, 2}, {3}}), 0.0);
  EXPECT_DOUBLE_EQ(stability(std::vector<Numbers>{{1, 2, 3}, {2, 3, 4}, {1, 2, 3}}), (0.5 + 0.5 + 1.0) / 3.0);
  EXPECT_DOUBLE_EQ(stability(std::vector<Numbers>{{}, {}}), 1.0);
  EXPECT_DOUBLE_EQ(stability(std::vector<Numbers>{{}, {1}}), 0.0);
}

// --- selections that were given --------------------------------------------------------------------------------------

Evaluation judged(const Table& table, const Target& target, const std::vector<GivenSelection>& selections,
                  Missing missing) {
  SelectOptions options;
  options.kernel.missing = missing;
  const Context context = threads(2);
  LocalRun local(table, missing, 0, context);
  return judge(local.engine, local.pool, table, target, selections, options, context);
}

GivenSelection selected_from(const Table& table, const Target& target, Missing missing, std::int64_t m) {
  SelectOptions options;
  options.features = m;
  options.kernel.missing = missing;
  return parse_selection(to_json(select(table, target, options, {})), "r.json");
}

TEST(Judge, KnowsItsTableWhateverTheKind) {
  for (const auto& [name, table, missing] : test::engine_tables()) {
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const GivenSelection selection = selected_from(table, target, missing, 6);
      const Evaluation evaluation = judged(table, target, {selection}, missing);
      EXPECT_TRUE(evaluation.warnings.empty()) << name << ": " << evaluation.warnings[0];
      const JudgedSelection& found = evaluation.selections.at(0);
      EXPECT_TRUE(found.same_table);
      std::vector<JudgedColumn> columns;
      for (const auto& feature : selection.features) {
        FeatureBlock block;
        table.source(missing)->gather(std::vector<std::int64_t>{feature.index}, block);
        columns.push_back(judged_column(block.view(0)));
      }
      const auto m = static_cast<double>(columns.size());
      EXPECT_DOUBLE_EQ(found.metrics.reduction, 1.0 - m / static_cast<double>(table.features()));
      const bool nominal =
          std::any_of(columns.begin(), columns.end(), [](const JudgedColumn& column) { return column.nominal; });
      if (nominal) continue;
      EXPECT_NEAR(found.metrics.independence, plain_independence(columns), 1e-10) << name;
      EXPECT_NEAR(found.metrics.dependence.value(), plain_dependence(columns, target, 1.0), 1e-9) << name;
    }
  }
}

// Names in an order of their own, and one feature left out in front.
Table renumbered(const Table& table, const Numbers& order) {
  Matrix2 columns;
  Table other;
  std::vector<std::string> names;
  for (const std::int64_t k : order) {
    FeatureBlock block;
    table.source(Missing::kError)->gather(std::vector<std::int64_t>{k}, block);
    columns.push_back(judged_column(block.view(0)).values);
    names.push_back("g" + std::to_string(k));
  }
  other = test::table_of_floats(columns);
  other.feature_names = names;
  return other;
}

TEST(Judge, LooksUpFeaturesOfAnotherTableByName) {
  const Target target = test::engine_classes();
  Numbers order(60);
  for (std::size_t k = 0; k < 60; ++k) order[k] = static_cast<std::int64_t>(k);
  const Table table = renumbered(test::table_of_floats(test::engine_columns(60, 0.0)), order);
  const GivenSelection selection = selected_from(table, target, Missing::kError, 5);
  const Evaluation first = judged(table, target, {selection}, Missing::kError);

  std::reverse(order.begin(), order.end());
  const Table reversed = renumbered(test::table_of_floats(test::engine_columns(60, 0.0)), order);
  const Evaluation other = judged(reversed, target, {selection}, Missing::kError);
  EXPECT_FALSE(other.selections[0].same_table);
  ASSERT_EQ(other.warnings.size(), 1U);
  EXPECT_THAT(other.warnings[0], HasSubstr("r.json was selected from other values"));
  EXPECT_EQ(other.selections[0].metrics.independence, first.selections[0].metrics.independence);
  EXPECT_EQ(other.selections[0].metrics.dependence, first.selections[0].metrics.dependence);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(other.selections[0].indices[t], 59 - first.selections[0].indices[t]);
  }

  order.erase(std::find(order.begin(), order.end(), selection.features[2].index));
  const Table lacking = renumbered(test::table_of_floats(test::engine_columns(60, 0.0)), order);
  EXPECT_THROW(judged(lacking, target, {selection}, Missing::kError), InputError);
  Table doubled = reversed;
  doubled.feature_names[static_cast<std::size_t>(59 - selection.features[0].index)] = "other";
  doubled.feature_names[0] = doubled.feature_names[1] = selection.features[0].name;
  EXPECT_THROW(judged(doubled, target, {selection}, Missing::kError), InputError);
}

TEST(Judge, RefusesWhatIsNoSelection) {
  const char* good = R"({"schema_version":1,"method":"land","data":{"path":"x","fingerprint":"0"},"selected":[)";
  EXPECT_NO_THROW(parse_selection(std::string(good) + R"({"index":1,"name":"a"}]})", "r"));
  for (const std::string& bad :
       {std::string("x"), std::string("[]"), std::string("{}"), std::string(R"({"schema_version":2})"),
        std::string(good) + R"({"index":1}]})", std::string(good) + R"({"index":"1","name":"a"}]})",
        std::string(good) + R"(3]})", std::string(good) + R"({"index":1,"name":"a"},{"index":1,"name":"a"}]})"}) {
    try {
      parse_selection(bad, "r.json");
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_THAT(cli::spelled(error.what()), testing::StartsWith("r.json: this is no selection: ")) << bad;
    }
  }
}

// --- methods over folds
// ------------------------------------------------------------------------------------------------

EvaluateOptions evaluate_options(std::vector<std::int64_t> features) {
  EvaluateOptions options;
  options.methods = {"land", "mr-nhsic"};
  options.features = std::move(features);
  options.folds = {4, 2, 5};
  return options;
}

std::string without_times(Evaluation evaluation) {
  evaluation.seconds = {};
  for (SplitRuns& split : evaluation.splits) {
    for (MethodRun& run : split.runs) run.seconds = 0.0;
  }
  for (MethodSummary& one : evaluation.summary) one.seconds = 0.0;
  return to_json(evaluation);
}

TEST(CrossValidate, SelectsFromTheTrainingPart) {
  const Matrix2 columns = test::engine_columns(60, 0.0);
  for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
    const EvaluateOptions options = evaluate_options({8, 3});
    const Evaluation evaluation = cross_validate(test::table_of_floats(columns), target, options, threads(2));
    ASSERT_EQ(evaluation.splits.size(), 8U);
    ASSERT_EQ(evaluation.summary.size(), 4U);
    std::vector<double> independence;
    std::vector<double> dependence;
    for (const SplitRuns& split : evaluation.splits) {
      const Numbers training = others(split.held_out, test::kEngineSamples);
      Matrix2 part;
      for (const auto& column : columns) part.push_back(part_of(JudgedColumn{column}, training).values);
      for (std::size_t method = 0; method < 2; ++method) {
        SelectOptions asked;
        asked.method = options.methods[method];
        for (const ChosenSet& set : split.runs[method].sets) {
          asked.features = set.m;
          EXPECT_EQ(set.indices, indices(select(test::table_of_floats(part), part_of(target, training), asked, {})));
          std::vector<JudgedColumn> trained;
          std::vector<JudgedColumn> unseen;
          for (const std::int64_t k : set.indices) {
            trained.push_back({part[static_cast<std::size_t>(k)]});
            unseen.push_back(part_of(JudgedColumn{columns[static_cast<std::size_t>(k)]}, split.held_out));
          }
          EXPECT_NEAR(set.independence, plain_independence(trained), 1e-10);
          EXPECT_NEAR(set.dependence.value(), plain_dependence(unseen, part_of(target, split.held_out), 1.0), 1e-9);
          if (method == 1 && set.m == 8) {
            independence.push_back(set.independence);
            dependence.push_back(*set.dependence);
          }
        }
      }
    }
    const MethodSummary& last = evaluation.summary[3];
    EXPECT_EQ(last.method, "mr-nhsic");
    EXPECT_EQ(last.m, 8);
    double mean = 0.0;
    for (const double value : dependence) mean += value / 8.0;
    double variance = 0.0;
    for (const double value : dependence) variance += (value - mean) * (value - mean) / 7.0;
    EXPECT_NEAR(last.dependence.mean.value(), mean, 1e-12);
    EXPECT_NEAR(last.dependence.error.value(), std::sqrt(variance / 8.0), 1e-12);
    EXPECT_DOUBLE_EQ(last.reduction, 1.0 - 8.0 / 60.0);
  }
}

// Where fewer features are no beginning of more: hsfs here, whose selections differ in most tables.
TEST(CrossValidate, SelectsEveryNumberAnewIfItMust) {
  const Matrix2 columns = test::engine_columns(24, 0.0);
  const Target target = test::engine_classes();
  EvaluateOptions options = evaluate_options({2, 6});
  options.methods = {"hsfs", "land", "spam"};
  options.folds = {3, 1, 5};
  const Evaluation evaluation = cross_validate(test::table_of_floats(columns), target, options, threads(2));
  ASSERT_EQ(evaluation.summary.size(), 6U);
  int cut = 0;
  for (const SplitRuns& split : evaluation.splits) {
    const Numbers training = others(split.held_out, test::kEngineSamples);
    Matrix2 part;
    for (const auto& column : columns) part.push_back(part_of(JudgedColumn{column}, training).values);
    ASSERT_EQ(split.runs.size(), 3U);
    for (std::size_t method = 0; method < 3; ++method) {
      const MethodRun& run = split.runs[method];
      ASSERT_EQ(run.sets.size(), 2U);
      SelectOptions asked;
      asked.method = options.methods[method];
      for (const ChosenSet& set : run.sets) {
        asked.features = set.m;
        EXPECT_EQ(set.indices, indices(select(test::table_of_floats(part), part_of(target, training), asked, {})))
            << asked.method << ", " << set.m;
      }
    }
    const Numbers& more = split.runs[0].sets[1].indices;
    cut += split.runs[0].sets[0].indices == Numbers(more.begin(), more.begin() + 2) ? 1 : 0;
  }
  EXPECT_LT(cut, 3) << "a cut would have done";
}

// Whatever becomes of the held-out samples, the selection stays as it is: their values, their target, and a feature
// that is constant without them.
void check_no_part_in_the_selection(Matrix2 columns, Missing missing) {
  const Target target = test::engine_numbers();
  EvaluateOptions options = evaluate_options({6});
  options.select.kernel.missing = missing;
  const std::vector<Split> splits = make_splits(target, options.folds);
  for (const std::size_t s : {std::size_t{0}, std::size_t{5}}) {
    const Numbers& unseen = splits[s].held_out;
    columns[7].assign(test::kEngineSamples, 1.0);
    const Evaluation before = cross_validate(test::table_of_floats(columns), target, options, {});
    Matrix2 changed = columns;
    Target other = target;
    for (const std::int64_t i : unseen) {
      const auto sample = static_cast<std::size_t>(i);
      for (std::size_t k = 0; k < changed.size(); ++k) changed[k][sample] = k % 2 == 0 ? 1e6 * (i + 1.0) : -1.0 * i;
      other.values[sample] = 1e4 * i;
    }
    const Evaluation after = cross_validate(test::table_of_floats(changed), other, options, {});
    ASSERT_EQ(after.splits[s].held_out, unseen);
    for (std::size_t method = 0; method < 2; ++method) {
      const ChosenSet& was = before.splits[s].runs[method].sets[0];
      const ChosenSet& is = after.splits[s].runs[method].sets[0];
      EXPECT_EQ(is.indices, was.indices);
      EXPECT_EQ(is.independence, was.independence);
      EXPECT_NE(is.dependence, was.dependence);
    }
    // The other splits have seen them.
    const std::size_t next = s + 1;
    EXPECT_NE(after.splits[next].runs[0].sets[0].indices, before.splits[next].runs[0].sets[0].indices);
  }
}

TEST(CrossValidate, HeldOutSamplesHaveNoPartInTheSelection) {
  check_no_part_in_the_selection(test::engine_columns(60, 0.0), Missing::kError);
  check_no_part_in_the_selection(test::engine_columns(60, 0.04), Missing::kMean);
  check_no_part_in_the_selection(test::engine_columns(60, 0.04), Missing::kIgnore);
}

TEST(CrossValidate, TakesTablesOfEveryKindAndAnyThreads) {
  for (const auto& [name, table, missing] : test::engine_tables()) {
    EvaluateOptions options = evaluate_options({4, 2});
    options.folds = {3, 1, 0};
    options.select.kernel.missing = missing;
    const Target target = test::engine_classes();
    const std::string expected = without_times(cross_validate(table, target, options, threads(1)));
    EXPECT_EQ(without_times(cross_validate(table, target, options, threads(3))), expected) << name;
  }
}

TEST(CrossValidate, TellsOnceWhatSingleSelectionsWarnOf) {
  Matrix2 columns = test::engine_columns(20, 0.0);  // none is constant
  columns[7].assign(test::kEngineSamples, 1.0);
  columns[7][11] = 2.0;  // constant where sample 11 is held out, once in each of two repeats
  const Evaluation evaluation =
      cross_validate(test::table_of_floats(columns), test::engine_classes(), evaluate_options({3}), {});
  EXPECT_THAT(evaluation.warnings, testing::ElementsAre("1 constant feature was left out (in 2 of 8 folds)"));
}

TEST(CrossValidate, NumbersAreThoseOfTheFile) {
  const Target target = test::engine_classes();
  Table table = test::table_of_floats(test::engine_columns(60, 0.0));
  const Evaluation whole = cross_validate(table, target, evaluate_options({3}), {});
  table.sample_numbers.kept.clear();
  for (std::int64_t i = 0; i < test::kEngineSamples; ++i) table.sample_numbers.kept.push_back(2 * i + 1);
  for (std::int64_t k = 0; k < 60; ++k) table.feature_numbers.kept.push_back(k + 100);
  const Evaluation part = cross_validate(table, target, evaluate_options({3}), {});
  for (std::size_t s = 0; s < whole.splits.size(); ++s) {
    for (std::size_t t = 0; t < whole.splits[s].held_out.size(); ++t) {
      EXPECT_EQ(part.splits[s].held_out[t], 2 * whole.splits[s].held_out[t] + 1);
    }
    const Numbers& was = whole.splits[s].runs[0].sets[0].indices;
    for (std::size_t t = 0; t < was.size(); ++t) EXPECT_EQ(part.splits[s].runs[0].sets[0].indices[t], was[t] + 100);
  }
}

TEST(CrossValidate, RefusesWhatCannotBe) {
  const Table table = test::table_of_floats(test::engine_columns(20, 0.0));
  const auto refusal = [&](const EvaluateOptions& options, const Target& target) -> std::string {
    try {
      cross_validate(table, target, options, {});
    } catch (const InputError& error) {
      return cli::spelled(error.what());
    }
    return "";
  };
  const auto with = [](auto change) {
    EvaluateOptions options = evaluate_options({2});
    change(options);
    return options;
  };
  const Target target = test::engine_classes();
  EXPECT_EQ(refusal(with([](auto& o) { o.folds.folds = 1; }), target), "--folds 1: take at least 2 folds");
  EXPECT_THAT(refusal(with([](auto& o) { o.folds.folds = 71; }), target),
              HasSubstr("--folds 71: there are 70 samples"));
  EXPECT_EQ(refusal(with([](auto& o) { o.folds.repeats = 0; }), target), "--repeats 0: take at least 1 repeat");
  EXPECT_EQ(refusal(with([](auto& o) { o.folds.seed = -1; }), target), "--seed -1: give a whole number from 0 to 2^53");
  EXPECT_THAT(refusal(with([](auto& o) { o.methods = {"land", "best"}; }), target), HasSubstr("choose one of land"));
  EXPECT_THAT(refusal(with([](auto& o) { o.methods = {"land", "land"}; }), target),
              HasSubstr("land is given more than"));
  EXPECT_THAT(refusal(with([](auto& o) { o.methods.clear(); }), target), HasSubstr("--methods: the list is empty"));
  EXPECT_THAT(refusal(with([](auto& o) { o.features = {0}; }), target), HasSubstr("ask for at least 1 feature"));
  EXPECT_THAT(refusal(with([](auto& o) { o.features = {3, 3}; }), target), HasSubstr("3 is given more than once"));
  std::vector<int> rare(test::kEngineSamples, 0);
  rare[3] = 1;
  EXPECT_THAT(refusal(evaluate_options({2}), test::class_target(rare, 2)),
              HasSubstr("have one value of the target only; take another number of folds"));
}

}  // namespace
}  // namespace land
