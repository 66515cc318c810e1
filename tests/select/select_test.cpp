// The whole pipeline: same answer for any threads, blocks, instruction set, encoding and path; rules for copies; bad
// input.
#include "land/commands/select.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <set>

#include "land/base/simd_target.h"
#include "land/commands/score.h"
#include "tests/support/commands.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::both::score;
using test::both::select;

// A table in memory, sample-major.
template <class T>
Table table_of(const std::vector<std::vector<double>>& columns, DType dtype) {
  const std::size_t n = columns[0].size();
  const std::size_t d = columns.size();
  auto values = std::make_shared<std::vector<T>>(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < d; ++k) (*values)[i * d + k] = static_cast<T>(columns[k][i]);
  }
  Table table;
  table.path = "memory";
  table.matrix.data = reinterpret_cast<const std::byte*>(values->data());
  table.matrix.dtype = dtype;
  table.matrix.samples = static_cast<std::int64_t>(n);
  table.matrix.columns = static_cast<std::int64_t>(d);
  table.matrix.sample_stride = static_cast<std::int64_t>(d);
  table.matrix.column_stride = 1;
  table.matrix.owner = values;
  return table;
}

struct Problem {
  std::vector<std::vector<double>> columns;
  std::vector<int> labels;
  std::vector<double> numbers;  // x0 exp(x1) + x2 + noise
  Target classes() const { return test::class_target(labels, 2); }
  Target number() const { return test::numeric_target(numbers); }
};

// Signals in mean, variance and their near copies, noise, and few-valued features.
Problem problem(int n, int d, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Problem result;
  result.labels = test::sample_labels(n, 2, seed);
  for (int k = 0; k < d; ++k) {
    std::vector<double> column;
    for (int i = 0; i < n; ++i) {
      const int y = result.labels[static_cast<std::size_t>(i)];
      double x = normal(random);
      if (k % 10 == 0) x += 0.5 * y;
      if (k % 10 == 1) x *= y == 1 ? 1.6 : 1.0;
      if (k % 10 == 2 && k > 10)
        x = result.columns[static_cast<std::size_t>(k - 2)][static_cast<std::size_t>(i)] + 0.1 * x;
      if (k % 10 == 3) x = std::round(x + 0.4 * y);
      column.push_back(static_cast<double>(static_cast<float>(x)));
    }
    result.columns.push_back(column);
  }
  for (int i = 0; i < n; ++i) {
    const auto s = static_cast<std::size_t>(i);
    result.numbers.push_back(result.columns[0][s] * std::exp(result.columns[1][s]) + result.columns[2][s] +
                             0.1 * normal(random));
  }
  return result;
}

std::vector<std::int64_t> indices(const Result& result) {
  std::vector<std::int64_t> list;
  for (const SelectedFeature& feature : result.selected) list.push_back(feature.index);
  return list;
}

// Everything that has to agree to the bit, written out.
std::string bits(const Result& result) {
  std::string text = result.stopped + " " + result.data.fingerprint;
  const auto add = [&](double x) { text += " " + std::to_string(std::bit_cast<std::uint64_t>(x)); };
  for (const PathStep& step : result.path) {
    text += " " + std::to_string(step.index.value_or(-1));
    add(step.lambda);
    for (const auto& [id, alpha] : step.coefficients) {
      text += " " + std::to_string(id);
      add(alpha);
    }
  }
  for (const SelectedFeature& feature : result.selected) add(feature.relevance);
  for (const auto& row : result.redundancy) {
    for (const double r : row) add(r);
  }
  for (const std::int64_t pairs : result.work.pairs_by_stage) text += " " + std::to_string(pairs);
  add(result.certificate->max_violation);
  return text;
}

SelectOptions options(std::int64_t m) {
  SelectOptions result;
  result.features = m;
  return result;
}

TEST(Select, SameBitsForAnyThreadsAndBlocks) {
  const Problem data = problem(300, 230, 1);
  const Table table = table_of<float>(data.columns, DType::kFloat32);
  for (const Target& target : {data.classes(), data.number()}) {
    const std::string expected = bits(select(table, target, options(25), test::threads(1)));
    for (const int threads : {2, 3, 8}) {
      for (const std::int64_t block : {0, 1, 16, 100, 1000}) {
        SelectOptions other = options(25);
        other.block_size = block;
        EXPECT_EQ(bits(select(table, target, other, test::threads(threads))), expected)
            << threads << " threads, block " << block;
      }
    }
  }
}

// Features of different encodings beside each other: which of them are scored together is no matter of the block.
TEST(Select, SameBitsWhereEncodingsMix) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  std::cauchy_distribution<double> cauchy;
  const std::vector<int> labels = test::sample_labels(40, 2, 5);
  std::vector<std::vector<double>> columns(300, std::vector<double>(labels.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (double& x : columns[k]) {
      x = k % 5 == 0 ? static_cast<double>(random() % 5) : k % 5 == 1 ? cauchy(random) : normal(random);
    }
  }
  const Target target = test::class_target(labels, 2);
  for (const Table& table : {table_of<double>(columns, DType::kFloat64), table_of<float>(columns, DType::kFloat32)}) {
    const std::string expected = bits(select(table, target, options(30), test::threads(2)));
    for (const std::int64_t block : {1, 17, 64, 100}) {
      SelectOptions other = options(30);
      other.block_size = block;
      EXPECT_EQ(bits(select(table, target, other, test::threads(2))), expected) << "block " << block;
    }
  }
}

TEST(Select, SameBitsWithASkippedColumn) {
  Problem data = problem(200, 60, 2);
  const std::string expected = [&] {
    std::vector<std::vector<double>> columns = data.columns;
    columns.erase(columns.begin() + 20);
    const Result result =
        select(table_of<float>(columns, DType::kFloat32), data.classes(), options(10), test::threads(2));
    return testing::PrintToString(indices(result));
  }();
  Table table = table_of<float>(data.columns, DType::kFloat32);
  table.matrix.skipped_column = 20;
  std::set<std::string> seen;
  for (const std::int64_t block : {0, 16, 32}) {
    SelectOptions other = options(10);
    other.block_size = block;
    const Result result = select(table, data.classes(), other, test::threads(2));
    EXPECT_EQ(testing::PrintToString(indices(result)), expected);
    seen.insert(bits(result));
  }
  EXPECT_EQ(seen.size(), 1);
}

TEST(Select, LazyAndPlainPathsAgree) {
  const Problem data = problem(250, 150, 3);
  const Table table = table_of<float>(data.columns, DType::kFloat32);
  for (const double ridge : {0.0, 0.05}) {
    for (const Target& target : {data.classes(), data.number()}) {
      SelectOptions lazy = options(40);
      lazy.ridge = ridge;
      SelectOptions plain = lazy;
      plain.plain_path = true;
      const Result a = select(table, target, lazy, test::threads(2));
      const Result b = select(table, target, plain, test::threads(2));
      ASSERT_EQ(a.path.size(), b.path.size());
      EXPECT_EQ(a.stopped, b.stopped);
      for (std::size_t t = 0; t < a.path.size(); ++t) {
        EXPECT_EQ(a.path[t].event, b.path[t].event);
        EXPECT_EQ(a.path[t].index, b.path[t].index);
        EXPECT_NEAR(a.path[t].lambda, b.path[t].lambda, 1e-12);
        ASSERT_EQ(a.path[t].coefficients.size(), b.path[t].coefficients.size());
        for (std::size_t c = 0; c < a.path[t].coefficients.size(); ++c) {
          EXPECT_EQ(a.path[t].coefficients[c].first, b.path[t].coefficients[c].first);
          EXPECT_NEAR(a.path[t].coefficients[c].second, b.path[t].coefficients[c].second, 1e-10);
        }
      }
      EXPECT_TRUE(a.certificate->valid);
      EXPECT_TRUE(b.certificate->valid);
      EXPECT_LT(a.work.pairs_by_stage.back(), b.work.pairs_by_stage.back());
    }
  }
}

TEST(Select, InstructionSetsAgree) {
  const Problem data = problem(300, 200, 4);
  const Table table = table_of<float>(data.columns, DType::kFloat32);
  std::optional<Result> first;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const Result result = select(table, data.classes(), options(30), test::threads(2));
    if (!first) {
      first = result;
      continue;
    }
    EXPECT_EQ(indices(result), indices(*first)) << target;
    for (std::size_t t = 0; t < result.selected.size(); ++t) {
      EXPECT_NEAR(*result.selected[t].coefficient, *first->selected[t].coefficient, 1e-9) << target;
    }
    EXPECT_NEAR(*result.lambda, *first->lambda, 1e-12) << target;
  }
  use_simd_target("");
}

TEST(Select, EncodingsAgree) {
  const Problem data = problem(300, 60, 5);
  // Few-valued columns, as bytes (codes), as integers, and as float32: all the same values.
  std::vector<std::vector<double>> columns;
  for (const auto& column : data.columns) {
    std::vector<double> rounded;
    for (const double x : column) rounded.push_back(std::round(3.0 * x) + 20.0);
    columns.push_back(rounded);
  }
  const Result bytes =
      select(table_of<std::uint8_t>(columns, DType::kUint8), data.classes(), options(20), test::threads(2));
  const Result integers =
      select(table_of<std::int32_t>(columns, DType::kInt32), data.classes(), options(20), test::threads(2));
  const Result floats =
      select(table_of<float>(columns, DType::kFloat32), data.classes(), options(20), test::threads(2));
  const Result doubles =
      select(table_of<double>(columns, DType::kFloat64), data.classes(), options(20), test::threads(2));
  for (const Result* other : {&integers, &floats, &doubles}) {
    EXPECT_EQ(indices(*other), indices(bytes));
    for (std::size_t t = 0; t < bytes.selected.size(); ++t) {
      EXPECT_NEAR(other->selected[t].relevance, bytes.selected[t].relevance, 1e-12);
      EXPECT_NEAR(*other->selected[t].coefficient, *bytes.selected[t].coefficient, 1e-9);
    }
  }
}

TEST(Select, ExactKernelsAgreeWithFactors) {
  const Problem data = problem(120, 80, 6);
  const Table table = table_of<double>(data.columns, DType::kFloat64);
  for (const Target& target : {data.classes(), data.number()}) {
    SelectOptions exact = options(12);
    exact.kernel.factor = FactorKind::kFull;
    const Result full = select(table, target, exact, test::threads(2));
    const Result factored = select(table, target, options(12), test::threads(2));
    EXPECT_EQ(indices(full), indices(factored));
    EXPECT_TRUE(full.certificate->valid);
    for (std::size_t t = 0; t < full.selected.size(); ++t) {
      EXPECT_NEAR(full.selected[t].relevance, factored.selected[t].relevance, 1e-6);
    }
  }
}

TEST(Select, RelevanceAndRedundancyAreThoseOfTheOracle) {
  const Problem data = problem(100, 40, 7);
  const Result result =
      select(table_of<double>(data.columns, DType::kFloat64), data.classes(), options(8), test::threads(1));
  ASSERT_FALSE(result.selected.empty());
  const Eigen::MatrixXd target = test::classes(data.labels);
  for (std::size_t a = 0; a < result.selected.size(); ++a) {
    const Eigen::MatrixXd kernel = test::gaussian(data.columns[static_cast<std::size_t>(result.selected[a].index)]);
    EXPECT_NEAR(result.selected[a].relevance, test::nhsic(kernel, target), 1e-6);
    for (std::size_t b = 0; b < result.selected.size(); ++b) {
      EXPECT_NEAR(result.redundancy[a][b],
                  test::nhsic(kernel, test::gaussian(data.columns[static_cast<std::size_t>(result.selected[b].index)])),
                  1e-6);
    }
  }
  // At the end c_k = lambda for every active k.
  for (std::size_t a = 0; a < result.selected.size(); ++a) {
    double c = result.selected[a].relevance;
    for (std::size_t b = 0; b < result.selected.size(); ++b)
      c -= result.redundancy[a][b] * *result.selected[b].coefficient;
    EXPECT_NEAR(c, *result.lambda, 1e-12);
  }
}

TEST(Select, CopiesAreListedAndNeverSplitACoefficient) {
  Problem data = problem(200, 40, 8);
  const auto copy = [&](std::size_t of, double scale, double shift) {
    std::vector<double> column = data.columns[of];
    for (double& x : column) x = scale * x + shift;
    data.columns.push_back(column);
    return static_cast<std::int64_t>(data.columns.size() - 1);
  };
  const std::int64_t exact = copy(0, 1.0, 0.0);
  const std::int64_t mirrored = copy(0, -1.0, 0.0);
  const std::int64_t scaled = copy(0, 2.5, -7.0);
  const std::int64_t again = copy(0, 1.0, 0.0);
  const Result result =
      select(table_of<double>(data.columns, DType::kFloat64), data.classes(), options(30), test::threads(2));
  bool found = false;
  for (const SelectedFeature& feature : result.selected) {
    EXPECT_GE(*feature.coefficient, 0.0);
    EXPECT_LT(*feature.coefficient, 10.0);
    if (feature.index == 0) {
      found = true;
      EXPECT_EQ(feature.identical, (std::vector<std::int64_t>{exact, mirrored, scaled, again}));
    }
    EXPECT_NE(feature.index, exact);
    EXPECT_NE(feature.index, mirrored);
    EXPECT_NE(feature.index, scaled);
    EXPECT_NE(feature.index, again);
  }
  EXPECT_TRUE(found);
  EXPECT_TRUE(result.certificate->valid);
}

// Whole numbers are exact, however large: one more or less makes another feature.
TEST(Select, NearCopiesOfLargeCountsAreNotIdentical) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns(3);
  std::vector<double> y;
  for (int i = 0; i < 200; ++i) {
    const double position = 3e7 + 50.0 * static_cast<double>(random() % 10);
    columns[0].push_back(position);
    columns[1].push_back(position + static_cast<double>(random() % 2));
    columns[2].push_back(7e7 - position);
    y.push_back(position + 50.0 * normal(random));
  }
  const Result result =
      select(table_of<double>(columns, DType::kFloat64), test::numeric_target(y), options(3), test::threads(1));
  ASSERT_FALSE(result.selected.empty());
  for (const SelectedFeature& feature : result.selected) {
    const std::vector<std::int64_t> expected =
        feature.index == 1 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{2 - feature.index};
    EXPECT_EQ(feature.identical, expected) << feature.index;
  }
}

// Points of a basis that no value is near leave a feature without a kernel: it is not relevant, and nothing is NaN.
TEST(Select, FeaturesFarFromTheBasisAreNotRelevant) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns(3, std::vector<double>(100));
  std::vector<double> y(100);
  for (std::size_t i = 0; i < y.size(); ++i) {
    columns[0][i] = i < 50 ? 0.0 : 1.0;
    columns[1][i] = normal(random);
    columns[2][i] = normal(random);
    y[i] = columns[0][i] + columns[1][i] + normal(random);
  }
  for (const char* const method : {"land", "mr-nhsic"}) {
    SelectOptions narrow = options(3);
    narrow.method = method;
    narrow.kernel.factor = FactorKind::kNystrom;
    narrow.kernel.basis = even_basis(10);
    narrow.kernel.sigma = {0.02};
    const Result result =
        select(table_of<double>(columns, DType::kFloat64), test::numeric_target(y), narrow, test::threads(1));
    ASSERT_GE(result.selected.size(), 2);
    for (const SelectedFeature& feature : result.selected) {
      EXPECT_TRUE(std::isfinite(feature.relevance));
      if (feature.index == 0) {
        EXPECT_EQ(feature.relevance, 0.0);
      }
    }
    EXPECT_NE(result.selected[0].index, 0);
    if (method == std::string("land")) {
      EXPECT_TRUE(result.certificate->valid);
    }
    narrow.kernel.basis = {100.0, 200.0};
    EXPECT_THROW(select(table_of<double>(columns, DType::kFloat64), test::numeric_target(y), narrow, test::threads(1)),
                 InputError);
  }
}

// Two features with one signature need not be copies: neither the one that the path touches, nor one it would have.
TEST(Select, ChanceSignaturesChangeNothing) {
  const Problem data = problem(200, 60, 12);
  const Table table = table_of<double>(data.columns, DType::kFloat64);
  const Target target = data.classes();
  Scores scores = score(table, target, {}, test::threads(1)).scores;
  const Result expected = select(table, target, options(6), test::threads(1), &scores);
  const std::int64_t signal = expected.selected[0].index;
  std::int64_t noise = 0;
  for (std::int64_t k = 0; k < 60; ++k) {
    if (scores.relevance[static_cast<std::size_t>(k)] < scores.relevance[static_cast<std::size_t>(noise)]) noise = k;
  }
  ASSERT_LT(scores.relevance[static_cast<std::size_t>(noise)], *expected.lambda);
  for (const std::int64_t other : {noise, expected.selected[1].index}) {
    for (const bool signal_first : {false, true}) {
      scores.signatures.assign(60, 0);
      scores.signatures[static_cast<std::size_t>(signal)] = 77;
      scores.signatures[static_cast<std::size_t>(other)] = 77;
      Scores given = scores;
      std::vector<std::vector<double>> columns = data.columns;
      if ((signal < other) != signal_first) {
        // The earlier one is taken for the original: have them change places in the table.
        std::swap(columns[static_cast<std::size_t>(signal)], columns[static_cast<std::size_t>(other)]);
        std::swap(given.relevance[static_cast<std::size_t>(signal)], given.relevance[static_cast<std::size_t>(other)]);
        std::swap(given.norm[static_cast<std::size_t>(signal)], given.norm[static_cast<std::size_t>(other)]);
      }
      const Table swapped = table_of<double>(columns, DType::kFloat64);
      EXPECT_EQ(select(swapped, target, options(6), test::threads(2), &given).lambda, expected.lambda) << other;
    }
  }
}

TEST(Select, RidgeLetsCopiesShare) {
  Problem data = problem(200, 30, 9);
  data.columns.push_back(data.columns[0]);
  SelectOptions ridge = options(20);
  ridge.ridge = 0.1;
  const Result result =
      select(table_of<double>(data.columns, DType::kFloat64), data.classes(), ridge, test::threads(2));
  std::map<std::int64_t, double> alpha;
  for (const SelectedFeature& feature : result.selected) alpha[feature.index] = *feature.coefficient;
  ASSERT_TRUE(alpha.contains(0));
  ASSERT_TRUE(alpha.contains(30));
  EXPECT_NEAR(alpha[0], alpha[30], 1e-9);
  EXPECT_TRUE(result.certificate->valid);
}

TEST(Select, MaximumRelevanceIsTheTopOfTheOracle) {
  const Problem data = problem(90, 60, 10);
  SelectOptions mr = options(15);
  mr.method = "mr-nhsic";
  const Result result = select(table_of<double>(data.columns, DType::kFloat64), data.number(), mr, test::threads(2));
  std::vector<std::pair<double, std::int64_t>> expected;
  for (std::size_t k = 0; k < data.columns.size(); ++k) {
    expected.emplace_back(-test::nhsic(test::gaussian(data.columns[k]), test::gaussian(data.numbers)), k);
  }
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(result.selected.size(), 15);
  for (std::size_t t = 0; t < 15; ++t) {
    EXPECT_EQ(result.selected[t].index, expected[t].second);
    EXPECT_FALSE(result.selected[t].coefficient.has_value());
  }
  EXPECT_FALSE(result.lambda.has_value());
  EXPECT_FALSE(result.certificate.has_value());
}

TEST(Select, ConstantFeaturesAreLeftOutAndCounted) {
  Problem data = problem(100, 20, 11);
  data.columns[5].assign(100, 3.25);
  data.columns[17].assign(100, 0.0);
  for (const Result& result :
       {select(table_of<double>(data.columns, DType::kFloat64), data.classes(), options(100), test::threads(2)),
        select(table_of<float>(data.columns, DType::kFloat32), data.classes(), options(100), test::threads(2))}) {
    EXPECT_EQ(result.data.constant_features, 2);
    for (const SelectedFeature& feature : result.selected) EXPECT_TRUE(feature.index != 5 && feature.index != 17);
  }
}

TEST(Select, BadValuesAreNamed) {
  Problem data = problem(60, 40, 12);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    auto columns = data.columns;
    columns[33][7] = bad;
    for (const Table& table : {table_of<float>(columns, DType::kFloat32), table_of<double>(columns, DType::kFloat64)}) {
      try {
        select(table, data.classes(), options(5), test::threads(2));
        FAIL() << "no error for " << bad;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 7"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("column 33"), std::string::npos) << error.what();
      }
    }
  }
}

TEST(Select, SizesAreChecked) {
  const Problem data = problem(60, 10, 13);
  const Table table = table_of<float>(data.columns, DType::kFloat32);
  EXPECT_THROW(select(table, test::numeric_target({1, 2, 3, 4, 5}), options(5), test::threads(1)), InputError);
  EXPECT_THROW(select(table, data.classes(), options(0), test::threads(1)), InputError);
  EXPECT_THROW(select(table_of<float>({{1, 2, 3}}, DType::kFloat32), test::class_target({0, 1, 0}, 2), options(1),
                      test::threads(1)),
               InputError);
}

TEST(Select, IdsAreNotClasses) {
  const Problem data = problem(1200, 3, 16);
  std::vector<int> labels(1200);
  std::iota(labels.begin(), labels.end(), 0);
  EXPECT_THROW(select(table_of<float>(data.columns, DType::kFloat32), test::class_target(labels, 1200), options(1),
                      test::threads(1)),
               InputError);
}

TEST(Select, FourSamplesAreEnough) {
  const Problem data = problem(4, 12, 14);
  for (const Target& target : {test::class_target({0, 1, 0, 1}, 2), data.number()}) {
    const Result result =
        select(table_of<double>(data.columns, DType::kFloat64), target, options(12), test::threads(2));
    EXPECT_FALSE(result.selected.empty());
    EXPECT_TRUE(result.certificate->valid);
  }
}

TEST(Select, StopsWhenAsked) {
  const Problem data = problem(60, 40, 15);
  std::atomic<bool> stop = true;
  Context stopped = test::threads(2);
  stopped.stop = &stop;
  EXPECT_THROW(select(table_of<float>(data.columns, DType::kFloat32), data.classes(), options(5), stopped),
               Interrupted);
}

}  // namespace
}  // namespace land
