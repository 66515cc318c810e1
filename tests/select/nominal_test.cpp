// Nominal features: the class kernel, whatever numbers their categories have.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "land/base/error.h"
#include "land/blocks/nominal_source.h"
#include "land/commands/select.h"
#include "land/formats/read_table.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/factors/full_kernel.h"
#include "land/kernels/sketches/sketch.h"
#include "land/store/convert.h"
#include "tests/support/commands.h"
#include "tests/support/kernels.h"
#include "tests/support/memory_columns.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/temporary_folder.h"

namespace land {
namespace {

using test::both::select;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> as_column(const std::vector<int>& labels) { return {labels.begin(), labels.end()}; }

// The feature of a table, as the engine gets it.
FeatureBlock block_of(const Table& table, std::int64_t feature, Missing missing) {
  FeatureBlock block;
  table.source(missing)->gather({&feature, 1}, block);
  return block;
}

// The class kernel of a column by its definition: over the observed samples, or with the missing ones as a class.
Eigen::MatrixXd by_definition(const std::vector<double>& column, Missing missing) {
  std::vector<Eigen::Index> observed;
  std::vector<int> labels;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (std::isnan(column[i]) && missing != Missing::kLevel) continue;
    observed.push_back(static_cast<Eigen::Index>(i));
    labels.push_back(std::isnan(column[i]) ? -1 : static_cast<int>(column[i]));
  }
  const Eigen::MatrixXd inner = test::classes(labels);
  const auto n = static_cast<Eigen::Index>(column.size());
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t a = 0; a < observed.size(); ++a) {
    for (std::size_t b = 0; b < observed.size(); ++b) {
      kernel(observed[a], observed[b]) = inner(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
    }
  }
  return kernel;
}

TEST(Nominal, KernelsAreThoseOfTheDefinition) {
  for (const Missing missing : {Missing::kError, Missing::kIgnore, Missing::kLevel}) {
    std::vector<std::vector<double>> columns = {as_column(test::sample_labels(70, 6, 1)),
                                                as_column(test::sample_labels(70, 40, 2)),
                                                test::sample_columns(70, 3).at("normal")};
    if (missing != Missing::kError) columns[0][5] = columns[0][11] = columns[1][3] = kNone;
    Table table = test::table_of_columns(columns);
    table.nominal.features = {0, 1};
    KernelOptions options;
    options.missing = missing;
    std::vector<Eigen::MatrixXd> expected;
    std::vector<Factor> factors;
    std::vector<Sketch> sketches;
    for (std::int64_t k = 0; k < 3; ++k) {
      const FeatureBlock block = block_of(table, k, missing);
      const FeatureView view = block.view(0);
      EXPECT_EQ(view.header->nominal, k < 2);
      expected.push_back(k < 2 ? by_definition(columns[static_cast<std::size_t>(k)], missing)
                               : test::gaussian(columns[2], missing));
      factors.push_back(test::make_factor(view, options));
      sketches.push_back(Kernels(options).sketch(view, 1.0 / (factors.back().norm * (1.0 + 1e-6)), kSketchColumns));
      const FullKernel full = test::make_full_kernel(view, options);
      const double norm = expected.back().norm();
      for (Eigen::Index i = 0; i < 70; ++i) {
        for (Eigen::Index j = 0; j < 70; ++j) {
          EXPECT_NEAR(full.values[static_cast<std::size_t>(i * 70 + j)], expected.back()(i, j) / norm, 1e-12);
        }
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        const double r = test::nhsic(expected[a], expected[b]);
        EXPECT_NEAR(redundancy(factors[a], factors[b]), r, 4.0 * 2.5e-7);
        EXPECT_NEAR(redundancy(stored_by_sample(factors[a]), factors[b]), r, 4.0 * 2.5e-7);
        for (const int p : {2, 4}) EXPECT_LE(sketch_bound(sketches[a], sketches[b], p), r);
      }
    }
  }
}

struct Mixed {
  Table table;
  Target classes;
  Target numbers;
};

Mixed mixed() {
  const int n = 150;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const std::vector<int> group = test::sample_labels(n, 7, 8);
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> nominal;
  for (int k = 0; k < 60; ++k) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) {
      const int g = group[static_cast<std::size_t>(i)];
      column.push_back(
          k % 4 == 0
              ? static_cast<double>((static_cast<unsigned>(g) + random() % (1U + static_cast<unsigned>(k) / 4U)) % 7)
              : normal(random) + 0.1 * g);
    }
    if (k % 4 == 0) nominal.push_back(k);
    columns.push_back(column);
  }
  Mixed result{test::table_of_columns(columns), {}, {}};
  result.table.nominal.features = nominal;
  // Neither has an order that numbers of groups could show.
  const std::vector<double> effect = {0.0, 3.0, -3.0, 1.0, -2.0, 2.0, -1.0};
  std::vector<int> labels;
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) {
    const auto g = static_cast<std::size_t>(group[static_cast<std::size_t>(i)]);
    numbers.push_back(effect[g] + 0.5 * normal(random));
    labels.push_back(effect[g] > 0.0 ? 1 : 0);
  }
  result.classes = test::class_target(labels, 2);
  result.numbers = test::numeric_target(numbers);
  return result;
}

TEST(Nominal, LazyPathIsThePlainOneAndIsCertified) {
  const Mixed data = mixed();
  for (const Target& target : {data.classes, data.numbers}) {
    SelectOptions options;
    options.features = 20;
    const Result lazy = select(data.table, target, options, {});
    options.plain_path = true;
    const Result plain = select(data.table, target, options, {});
    ASSERT_EQ(lazy.path.size(), plain.path.size());
    for (std::size_t t = 0; t < lazy.path.size(); ++t) {
      EXPECT_EQ(lazy.path[t].index, plain.path[t].index);
      EXPECT_EQ(lazy.path[t].lambda, plain.path[t].lambda);
    }
    EXPECT_TRUE(lazy.certificate->valid);
    EXPECT_EQ(lazy.selected[0].index, 0);  // the groups themselves
    options.plain_path = false;
    options.kernel.factor = FactorKind::kFull;
    const Result full = select(data.table, target, options, {});
    EXPECT_EQ(full.selected[0].index, 0);
    EXPECT_NEAR(full.selected[0].relevance, lazy.selected[0].relevance, 4.0 * 2.5e-7);
    EXPECT_TRUE(full.certificate->valid);
  }
}

TEST(Nominal, NumbersOfCategoriesMeanNothing) {
  Mixed data = mixed();
  SelectOptions options;
  options.features = 10;
  const Result before = select(data.table, data.numbers, options, {});
  const auto* values = reinterpret_cast<const double*>(data.table.matrix.data);
  std::vector<std::vector<double>> columns;
  for (std::int64_t k = 0; k < data.table.features(); ++k) {
    columns.emplace_back(values + k * 150, values + (k + 1) * 150);
    if (k % 4 == 0) {
      for (double& x : columns.back()) x = std::fmod(x * 3.0 + 5.0, 7.0);
    }
  }
  Table relabelled = test::table_of_columns(columns);
  relabelled.nominal = data.table.nominal;
  const Result after = select(relabelled, data.numbers, options, {});
  ASSERT_EQ(before.selected.size(), after.selected.size());
  for (std::size_t t = 0; t < before.selected.size(); ++t) {
    EXPECT_EQ(before.selected[t].index, after.selected[t].index);
    EXPECT_NEAR(*before.selected[t].coefficient, *after.selected[t].coefficient, 1e-9);
  }
}

TEST(Nominal, StoresKeepThem) {
  Mixed data = mixed();
  data.table.feature_names.clear();
  for (std::int64_t k = 0; k < data.table.features(); ++k) data.table.feature_names.push_back("x" + std::to_string(k));
  const test::TemporaryFolder folder;
  const std::string path = folder / "mixed.h5";
  convert(data.table, path, {}, {});
  const Table stored = read_table(path, {}, {});
  EXPECT_EQ(stored.nominal.features, data.table.nominal.features);
  SelectOptions options;
  options.features = 10;
  const Result expected = select(data.table, data.numbers, options, {});
  const Result found = select(stored, data.numbers, options, {});
  ASSERT_EQ(found.selected.size(), expected.selected.size());
  for (std::size_t t = 0; t < found.selected.size(); ++t) {
    EXPECT_EQ(found.selected[t].index, expected.selected[t].index);
    EXPECT_EQ(*found.selected[t].coefficient, *expected.selected[t].coefficient);
  }
  // With a feature for the target the numbers of those behind it move.
  ReadOptions reading;
  reading.target = "x6";
  const Table without = read_table(path, reading, {});
  for (const std::int64_t id : without.nominal.features) EXPECT_EQ((id >= 6 ? id + 1 : id) % 4, 0);
  EXPECT_EQ(without.nominal.features.size(), data.table.nominal.features.size());
}

TEST(Nominal, RefusesTooManyCategoriesAndTheirMean) {
  std::vector<double> ids(300);
  for (std::size_t i = 0; i < 300; ++i) ids[i] = static_cast<double>(i);
  Table table = test::table_of_columns({ids, ids});
  table.nominal.features = {1};
  EXPECT_THROW(block_of(table, 1, Missing::kError), InputError);
  EXPECT_EQ(block_of(table, 0, Missing::kError).headers[0].nominal, false);
  std::vector<double> some = as_column(test::sample_labels(300, 3, 1));
  some[4] = kNone;
  table = test::table_of_columns({some});
  table.nominal.features = {0};
  EXPECT_THROW(block_of(table, 0, Missing::kMean), InputError);
  EXPECT_EQ(block_of(table, 0, Missing::kIgnore).headers[0].missing, 1);
}

}  // namespace
}  // namespace land
