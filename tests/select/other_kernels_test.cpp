// Commands with --kernel laplace, distance and linear: what full matrices give, on every engine.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "land/base/error.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::threads;

constexpr std::initializer_list<KernelFamily> kOthers = {KernelFamily::kLaplace, KernelFamily::kDistance,
                                                         KernelFamily::kLinear};

using Columns = std::vector<std::vector<double>>;

struct Problem {
  Columns columns;
  Target classes;
  Target numbers;
  Target survival;
};

// Shifts, spreads, ties, heavy tails, near copies and noise.
Problem problem_of(int n, int d, bool with_missing) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  std::cauchy_distribution<double> cauchy;
  Problem problem;
  const std::vector<int> labels = test::sample_labels(n, 3, 2);
  for (int k = 0; k < d; ++k) {
    std::vector<double>& column = problem.columns.emplace_back();
    for (int i = 0; i < n; ++i) {
      const int y = labels[static_cast<std::size_t>(i)];
      double x = normal(random);
      if (k % 7 == 0) x += 0.6 * y;
      if (k % 7 == 1) x *= 1.0 + 0.5 * y;
      if (k % 7 == 2) x = std::round(x + 0.5 * y);
      if (k % 7 == 3) x = 50.0 * cauchy(random);
      if (k % 7 == 4 && k > 7)
        x = problem.columns[static_cast<std::size_t>(k - 4)][static_cast<std::size_t>(i)] + 0.2 * x;
      column.push_back(x);
    }
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    numbers.push_back(problem.columns[0][i] * problem.columns[0][i] + problem.columns[1][i] + 0.3 * normal(random));
  }
  for (std::size_t k = 0; with_missing && k < problem.columns.size(); ++k) {
    for (double& x : problem.columns[k]) x = random() % 8 == 0 ? std::numeric_limits<double>::quiet_NaN() : x;
  }
  problem.classes = test::class_target(labels, 3);
  problem.numbers = test::numeric_target(numbers);
  std::vector<double> times;
  for (const double x : numbers) times.push_back(std::floor(10.0 * std::exp(x)));
  problem.survival = test::survival_target(times);
  return problem;
}

SelectOptions options_of(KernelFamily family, Missing missing, std::int64_t m) {
  SelectOptions options;
  options.features = m;
  options.kernel.family = family;
  options.kernel.missing = missing;
  return options;
}

void expect_alike(const Result& found, const Result& exact) {
  ASSERT_EQ(found.selected.size(), exact.selected.size());
  for (std::size_t t = 0; t < found.selected.size(); ++t) {
    EXPECT_EQ(found.selected[t].index, exact.selected[t].index);
    EXPECT_NEAR(*found.selected[t].coefficient, *exact.selected[t].coefficient, 1e-9);
    EXPECT_NEAR(found.selected[t].relevance, exact.selected[t].relevance, 1e-11);
  }
  ASSERT_EQ(found.path.size(), exact.path.size());
  for (std::size_t t = 0; t < found.path.size(); ++t) EXPECT_NEAR(found.path[t].lambda, exact.path[t].lambda, 1e-9);
  EXPECT_TRUE(found.certificate->valid);
  EXPECT_LE(found.certificate->max_bound_excess, 0.0);
  EXPECT_TRUE(exact.certificate->valid);
}

TEST(OtherKernelsOfSelect, AreThoseOfFullMatrices) {
  for (const Missing missing : {Missing::kError, Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
    const Problem problem = problem_of(80, 70, missing != Missing::kError);
    const Table table = test::table_of_columns(problem.columns);
    for (const KernelFamily family : kOthers) {
      for (const Target& target : {problem.classes, problem.numbers, problem.survival}) {
        for (const Measure measure : {Measure::kNhsic, Measure::kHsic}) {
          SCOPED_TRACE(std::string(to_string(family)) + " " + std::string(to_string(missing)));
          SelectOptions options = options_of(family, missing, 12);
          options.kernel.measure = measure;
          const Result found = test::local::select(table, target, options, threads(2));
          options.kernel.factor = FactorKind::kFull;
          expect_alike(found, test::local::select(table, target, options, threads(2)));
          options.kernel.factor = FactorKind::kCholesky;
          options.plain_path = true;
          const Result plain = test::local::select(table, target, options, threads(2));
          ASSERT_EQ(plain.selected.size(), found.selected.size());
          for (std::size_t t = 0; t < plain.selected.size(); ++t) {
            EXPECT_EQ(plain.selected[t].index, found.selected[t].index);
          }
        }
      }
    }
  }
}

TEST(OtherKernelsOfSelect, SameBitsForAnyThreadsBlocksAndMemory) {
  const Problem problem = problem_of(120, 90, false);
  const Table table = test::table_of_columns(problem.columns);
  for (const KernelFamily family : kOthers) {
    for (const Target& target : {problem.classes, problem.numbers, problem.survival}) {
      SelectOptions options = options_of(family, Missing::kError, 10);
      options.neighbors = 3;
      const auto text = [](Result result) {
        result.options.block_size = 0;
        result.seconds = {};
        result.engine = {};
        return test::json_without_times(std::move(result));
      };
      const std::string once = text(test::local::select(table, target, options, threads(1)));
      for (const std::int64_t block : {0, 16, 64}) {
        options.block_size = block;
        EXPECT_EQ(text(test::local::select(table, target, options, threads(3))), once) << to_string(family);
      }
    }
  }
}

TEST(OtherKernelsOfSelect, EnginesGiveTheSame) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    for (const KernelFamily family : kOthers) {
      for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
        SelectOptions options = options_of(family, one.missing, 6);
        options.neighbors = 2;
        const Result found = test::both::select(one.table, target, options, threads(2));
        EXPECT_TRUE(found.certificate->valid);
        options.neighbors = 0;
        options.method = "mr-nhsic";
        test::both::select(one.table, target, options, threads(2));
      }
      ScoreOptions score;
      score.kernel = options_of(family, one.missing, 6).kernel;
      test::both::score(one.table, test::engine_numbers(), score, threads(2));
      NeighborOptions near;
      near.kernel = score.kernel;
      near.count = 3;
      if (one.table.features() > 3) test::both::neighbors(one.table, 3, near, threads(2));
    }
  }
}

TEST(OtherKernelsOfNeighbors, AreThoseOfFullMatrices) {
  for (const Missing missing : {Missing::kError, Missing::kIgnore, Missing::kLevel}) {
    const Problem problem = problem_of(70, 80, missing != Missing::kError);
    const Table table = test::table_of_columns(problem.columns);
    for (const KernelFamily family : kOthers) {
      for (const std::int64_t feature : {0, 2, 11, 33}) {
        NeighborOptions options;
        options.kernel = options_of(family, missing, 1).kernel;
        options.count = 6;
        const Neighbors found = test::local::neighbors(table, feature, options, threads(2));
        options.kernel.factor = FactorKind::kFull;
        const Neighbors exact = test::local::neighbors(table, feature, options, threads(2));
        ASSERT_EQ(found.neighbors.size(), exact.neighbors.size());
        for (std::size_t t = 0; t < found.neighbors.size(); ++t) {
          EXPECT_EQ(found.neighbors[t].index, exact.neighbors[t].index) << to_string(family);
          EXPECT_NEAR(found.neighbors[t].redundancy, exact.neighbors[t].redundancy, 1e-11);
        }
      }
    }
  }
}

TEST(OtherKernelsOfSelect, ScoresOfAnotherKernelAreRefused) {
  const Problem problem = problem_of(40, 20, false);
  const Table table = test::table_of_columns(problem.columns);
  ScoreOptions score;
  score.kernel.family = KernelFamily::kLaplace;
  const std::vector<ScoredPart> parts = {test::local::score(table, problem.classes, score, threads(1))};
  EXPECT_NO_THROW(test::local::join_parts(parts, table, problem.classes, score.kernel));
  score.kernel.family = KernelFamily::kDistance;
  EXPECT_THROW(test::local::join_parts(parts, table, problem.classes, score.kernel), InputError);
}

TEST(OtherKernelsOfSelect, HaveNoBasis) {
  for (const KernelFamily family : kOthers) {
    SelectOptions options = options_of(family, Missing::kError, 5);
    options.kernel.factor = FactorKind::kNystrom;
    options.kernel.basis = even_basis(10);
    EXPECT_THROW(validate(options), InputError);
  }
}

}  // namespace
}  // namespace land
