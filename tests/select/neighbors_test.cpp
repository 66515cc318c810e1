// The most redundant features: those that full kernel matrices of all pairs give, whatever the encodings.
#include "land/commands/neighbors.h"
#include "land/formats/find_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "land/base/error.h"
#include "tests/support/commands.h"
#include "tests/support/memory_columns.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::both::neighbors;

using Columns = std::vector<std::vector<double>>;

// Continuous and few-valued columns, near and mirrored copies, noise.
Columns columns_of(int n, int d, bool with_missing) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Columns columns;
  for (const auto& [name, column] : test::sample_columns(n, 3)) columns.push_back(column);
  while (static_cast<int>(columns.size()) < d) {
    const std::vector<double> from = columns[random() % columns.size()];
    const double noise = std::exp(normal(random));
    const bool rounded = random() % 3 == 0;
    std::vector<double> column;
    for (const double x : from) {
      const double value = random() % 2 == 0 ? -x + noise * normal(random) : -x;
      column.push_back(rounded ? std::round(std::clamp(value, -20.0, 20.0)) : value);
    }
    columns.push_back(column);
  }
  if (with_missing) {
    for (auto& column : columns) {
      for (double& x : column) x = random() % 9 == 0 ? std::numeric_limits<double>::quiet_NaN() : x;
    }
  }
  return columns;
}

std::vector<std::pair<double, std::int64_t>> by_definition(const Columns& columns, std::int64_t feature,
                                                           Missing missing) {
  const Eigen::MatrixXd query = test::gaussian(columns[static_cast<std::size_t>(feature)], missing);
  std::vector<std::pair<double, std::int64_t>> all;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (static_cast<std::int64_t>(k) == feature) continue;
    const double value = test::nhsic(test::gaussian(columns[k], missing), query);
    if (!std::isnan(value)) all.emplace_back(value, static_cast<std::int64_t>(k));  // not so if it is constant
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  return all;
}

TEST(Neighbors, AreThoseOfFullKernelMatrices) {
  for (const Missing missing : {Missing::kError, Missing::kIgnore, Missing::kLevel, Missing::kMean}) {
    const Columns columns = columns_of(60, 90, missing != Missing::kError);
    const Table table = test::table_of_columns(columns);
    for (const std::int64_t feature : {0, 2, 6, 40, 89}) {
      for (const FactorKind factor : {FactorKind::kCholesky, FactorKind::kFull}) {
        NeighborOptions options;
        options.count = 7;
        options.kernel.missing = missing;
        options.kernel.factor = factor;
        const Neighbors found = neighbors(table, feature, options, {});
        const auto expected = by_definition(columns, feature, missing);
        ASSERT_EQ(found.neighbors.size(), 7U);
        for (std::size_t t = 0; t < 7; ++t) {
          // Factors are exact to twice the sum of their residuals (docs/math.md).
          EXPECT_NEAR(found.neighbors[t].redundancy, expected[t].first, 4.0 * 2.5e-7) << feature << " " << t;
          EXPECT_NE(found.neighbors[t].index, feature);
        }
      }
    }
  }
}

TEST(Neighbors, BoundsSettleMostFeatures) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  Columns columns(2000, std::vector<double>(200));
  for (auto& column : columns) {
    for (double& x : column) x = normal(random);
  }
  for (std::size_t c = 1; c <= 5; ++c) {
    for (std::size_t i = 0; i < 200; ++i) columns[c][i] = columns[0][i] + 0.1 * static_cast<double>(c) * columns[c][i];
  }
  NeighborOptions options;
  options.count = 5;
  const Neighbors found = neighbors(test::table_of_columns(columns), 0, options, {});
  ASSERT_EQ(found.neighbors.size(), 5U);
  for (std::int64_t c = 1; c <= 5; ++c) EXPECT_EQ(found.neighbors[static_cast<std::size_t>(c - 1)].index, c);
  EXPECT_LT(found.features_refined, 100);
}

TEST(Neighbors, OfANominalFeatureAreThoseOfItsClasses) {
  std::mt19937_64 random(2);
  const int n = 80;
  Columns columns = columns_of(n, 40, false);
  const std::vector<int> labels = test::sample_labels(n, 5, 4);
  columns[7].assign(labels.begin(), labels.end());
  for (int i = 0; i < n; ++i) columns[9][static_cast<std::size_t>(i)] = labels[static_cast<std::size_t>(i)] % 3;
  Table table = test::table_of_columns(columns);
  table.nominal.features = {7};
  NeighborOptions options;
  options.count = 39;
  const Neighbors found = neighbors(table, 7, options, {});
  ASSERT_EQ(found.neighbors.size(), 39U);
  for (const Neighbor& neighbor : found.neighbors) {
    const double expected =
        test::nhsic(test::gaussian(columns[static_cast<std::size_t>(neighbor.index)]), test::classes(labels));
    EXPECT_NEAR(neighbor.redundancy, expected, 2.0 * 2.5e-7) << neighbor.index;
  }
}

TEST(Neighbors, RefusesWhatHasNone) {
  Columns columns = columns_of(20, 15, false);
  columns[3].assign(20, 1.0);
  const Table table = test::table_of_columns(columns);
  EXPECT_THROW(neighbors(table, 3, {}, {}), InputError);
  EXPECT_THROW(neighbors(table, 15, {}, {}), InputError);
  const std::vector<std::string> unknown = {"TP53"};
  const std::vector<std::string> number = {"4"};
  EXPECT_THROW(find_features(table, "feature", unknown), InputError);
  EXPECT_EQ(find_features(table, "feature", number), std::vector<std::int64_t>{4});
  const std::vector<std::string> printed = {table.feature_name(4)};  // "f4"
  EXPECT_EQ(find_features(table, "feature", printed), std::vector<std::int64_t>{4});
  const std::vector<std::string> none_such = {"f15"};
  EXPECT_THROW(find_features(table, "feature", none_such), InputError);
  NeighborOptions none;
  none.count = 0;
  EXPECT_THROW(neighbors(table, 0, none, {}), InputError);
  NeighborOptions more;
  more.count = 100;
  EXPECT_EQ(neighbors(table, 0, more, {}).neighbors.size(), 13U);  // neither itself nor the constant one
}

}  // namespace
}  // namespace land
