// Features that repeat others: found in time linear in their number, and the path of the textbook algorithm.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "land/commands/score.h"
#include "land/commands/select.h"
#include "tests/support/commands.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::both::score;
using test::both::select;

using Columns = std::vector<std::vector<double>>;

constexpr int kSamples = 60;

template <class T>
Table table_of(const Columns& columns, DType dtype) {
  const std::size_t d = columns.size();
  auto values = std::make_shared<std::vector<T>>(kSamples * d);
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (std::size_t k = 0; k < d; ++k) (*values)[i * d + k] = static_cast<T>(columns[k][i]);
  }
  Table table;
  table.path = "memory";
  table.matrix.data = reinterpret_cast<const std::byte*>(values->data());
  table.matrix.dtype = dtype;
  table.matrix.samples = kSamples;
  table.matrix.columns = static_cast<std::int64_t>(d);
  table.matrix.sample_stride = static_cast<std::int64_t>(d);
  table.matrix.column_stride = 1;
  table.matrix.owner = values;
  return table;
}

Target target() { return test::class_target(test::sample_labels(kSamples, 2, 5), 2); }

// Some relevant, `round` to whole numbers of this size, or not at all if it is 0.
Columns distinct_columns(int count, double round) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const std::vector<int> labels = test::sample_labels(kSamples, 2, 5);
  Columns columns;
  for (int k = 0; k < count; ++k) {
    std::vector<double>& column = columns.emplace_back();
    for (const int y : labels) {
      const double x = normal(random) + (k % 3 == 0 ? 0.8 * y : 0.0);
      column.push_back(round == 0.0 ? static_cast<double>(static_cast<float>(x)) : std::round(round * x));
    }
  }
  return columns;
}

// Columns, and copies of them in no order, scaled and shifted by whole numbers.
Columns with_copies(const Columns& columns, std::size_t count, std::span<const double> scales, int shifts) {
  std::mt19937_64 random(4);
  Columns all = columns;
  while (all.size() < count) {
    std::vector<double> column = all[random() % columns.size()];
    const double scale = scales[random() % scales.size()];
    const double shift = static_cast<double>(random() % static_cast<unsigned>(shifts));
    for (double& x : column) x = scale * x + shift;
    all.push_back(column);
  }
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

Result run(const Table& table, bool plain, std::int64_t m = 8) {
  SelectOptions options;
  options.features = m;
  options.plain_path = plain;
  Context context;
  context.threads = 2;
  return select(table, target(), options, context);
}

void expect_same(const Result& lazy, const Result& plain) {
  ASSERT_EQ(lazy.selected.size(), plain.selected.size());
  for (std::size_t s = 0; s < lazy.selected.size(); ++s) {
    EXPECT_EQ(lazy.selected[s].index, plain.selected[s].index);
    EXPECT_EQ(lazy.selected[s].identical, plain.selected[s].identical);
    EXPECT_EQ(lazy.selected[s].relevance, plain.selected[s].relevance);
    EXPECT_NEAR(*lazy.selected[s].coefficient, *plain.selected[s].coefficient, 1e-12);
  }
  EXPECT_EQ(lazy.stopped, plain.stopped);
  EXPECT_TRUE(lazy.certificate->valid);
  EXPECT_EQ(lazy.certificate->features_evaluated + lazy.certificate->features_bounded,
            plain.certificate->features_evaluated + plain.certificate->features_bounded);
}

struct Kind {
  const char* name;
  double round;  // 0: not whole numbers
  std::vector<double> scales;
  int shifts;
  DType dtype;
};

Table table_of(const Columns& columns, DType dtype) {
  if (dtype == DType::kInt8) return table_of<std::int8_t>(columns, dtype);
  if (dtype == DType::kFloat32) return table_of<float>(columns, dtype);
  return table_of<double>(columns, dtype);
}

const Kind kKinds[] = {
    {"equal or mirrored float32", 0.0, {1.0, -1.0}, 1, DType::kFloat32},
    {"equal or mirrored float64", 0.0, {1.0, -1.0}, 1, DType::kFloat64},
    {"whole float32, many values", 500.0, {1.0, -1.0, 2.0, 3.0, -12.0}, 9, DType::kFloat32},
    {"whole float64, many values", 500.0, {1.0, -1.0, 2.0, 3.0, -12.0}, 9, DType::kFloat64},
    {"whole float32, few values", 2.0, {1.0, -1.0, 2.0, 3.0, -12.0}, 9, DType::kFloat32},
    {"bytes", 2.0, {1.0, -1.0, 2.0, 3.0, -4.0}, 9, DType::kInt8},
};

TEST(Copies, GiveThePathOfTheTextbook) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const Columns columns = with_copies(distinct_columns(25, kind.round), 200, kind.scales, kind.shifts);
    const Table table = table_of(columns, kind.dtype);
    expect_same(run(table, false), run(table, true));
  }
}

// What the path does depends on the features that differ, however many copies there are of each.
TEST(Copies, AreNoWorkForThePath) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    const Columns columns = distinct_columns(25, kind.round);
    const Result alone = run(table_of(columns, kind.dtype), false);
    for (const std::size_t count : {500, 5000}) {
      const Result result = run(table_of(with_copies(columns, count, kind.scales, kind.shifts), kind.dtype), false);
      EXPECT_EQ(result.work.features_copied, static_cast<std::int64_t>(count) - 25);
      EXPECT_LE(result.work.features_touched, 25);
      EXPECT_EQ(result.lambda.has_value(), alone.lambda.has_value());
      EXPECT_NEAR(*result.lambda, *alone.lambda, 1e-12);
      std::size_t identical = 0;
      for (const SelectedFeature& feature : result.selected) identical += feature.identical.size();
      EXPECT_GT(identical, result.selected.size() * count / 50);
    }
  }
}

// Features that share a key, by chance, without being copies.
TEST(Copies, SharedKeysChangeNothing) {
  const Table table = table_of<double>(distinct_columns(40, 0.0), DType::kFloat64);
  SelectOptions options;
  options.features = 8;
  Scores scores = score(table, target(), {}, Context{}).scores;
  const Result expected = select(table, target(), options, Context{}, &scores);
  EXPECT_EQ(expected.work.features_copied, 0);
  scores.copy_keys.assign(40, 7);
  const Result shared = select(table, target(), options, Context{}, &scores);
  EXPECT_EQ(shared.work.features_copied, 0);
  EXPECT_EQ(shared.lambda, expected.lambda);
  scores.copy_keys.clear();  // as they are read from a file
  EXPECT_EQ(select(table, target(), options, Context{}, &scores).lambda, expected.lambda);
}

// Scores read from a file know of checksums alone, which equal features share.
TEST(Copies, AreFoundByChecksumsToo) {
  const Columns columns = with_copies(distinct_columns(25, 2.0), 300, std::vector<double>{1.0}, 1);
  const Table table = table_of<std::int8_t>(columns, DType::kInt8);
  Scores scores = score(table, target(), {}, Context{}).scores;
  scores.copy_keys.clear();
  EXPECT_EQ(select(table, target(), {}, Context{}, &scores).work.features_copied, 275);
}

// With the kernel of categories, which has no order, the same values are another feature.
TEST(Copies, NominalFeaturesAreNoCopiesOfNumbers) {
  const Columns columns = with_copies(distinct_columns(12, 2.0), 60, std::vector<double>{1.0}, 1);
  Table table = table_of<std::int8_t>(columns, DType::kInt8);
  for (std::int64_t k = 0; k < 30; ++k) table.nominal.features.push_back(k);
  expect_same(run(table, false), run(table, true));
}

}  // namespace
}  // namespace land
