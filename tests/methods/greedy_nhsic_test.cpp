// mrmr-nhsic: the choice of the textbook algorithm, from bounds.
#include "land/methods/greedy_nhsic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/methods/table_kernels.h"
#include "tests/path/fake_oracle.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

// f and R of all, in plain loops.
std::vector<Chosen> textbook(const testing::Problem& problem, std::int64_t wanted) {
  std::vector<Chosen> chosen;
  std::vector<bool> taken(static_cast<std::size_t>(problem.size()), false);
  double largest = 0.0;
  while (std::ssize(chosen) < std::min(wanted, problem.size())) {
    std::vector<double> scores;
    for (FeatureId k = 0; k < problem.size(); ++k) {
      double sum = 0.0;
      for (const Chosen& other : chosen) sum += problem.r(k, other.feature);
      scores.push_back(chosen.empty() ? problem.f[k] : problem.f[k] - sum / static_cast<double>(chosen.size()));
    }
    double best = -1e300;
    for (std::size_t k = 0; k < scores.size(); ++k) best = taken[k] ? best : std::max(best, scores[k]);
    if (chosen.empty()) largest = best;
    std::size_t k = 0;
    while (taken[k] || scores[k] < best - 1e-12 * largest) ++k;
    taken[k] = true;
    chosen.push_back({static_cast<FeatureId>(k), scores[k]});
  }
  return chosen;
}

void expect_textbook(const testing::Problem& problem, std::uint64_t seed) {
  for (const int stages : {1, 2, 3}) {
    testing::FakeOracle oracle(problem, stages, seed);
    const std::int64_t wanted = seed % 3 == 0 ? problem.size() + 3 : 12;
    const std::vector<Chosen> expected = textbook(problem, wanted);
    const GreedyChoice choice = choose_greedily(oracle.bounds(0.1), oracle, wanted, [](std::int64_t) {});
    ASSERT_EQ(choice.chosen.size(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      ASSERT_EQ(choice.chosen[t].feature, expected[t].feature) << problem.name << " " << seed << ", step " << t;
      EXPECT_NEAR(choice.chosen[t].score, expected[t].score, 1e-14);
    }
  }
}

TEST(GreedyNhsic, ChoosesAsTheTextbook) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    expect_textbook(testing::generic_problem(seed, 60, 0.4, seed % 2 == 0), seed);
    expect_textbook(testing::degenerate_problem(seed, 50), seed);
    expect_textbook(testing::near_copy_problem(seed, 40), seed);
    expect_textbook(testing::binary_problem(seed, 60, 7), seed);
    expect_textbook(testing::block_problem(seed, 5), seed);
  }
}

TEST(GreedyNhsic, AsksForFewPairs) {
  testing::FakeOracle oracle(testing::generic_problem(3, 800, 0.4, false), 3, 3, 0.5);
  choose_greedily(oracle.bounds(0.01), oracle, 20, [](std::int64_t) {});
  EXPECT_LT(oracle.full(), 800 * 20 / 4);
}

// Features whose f is zero come last, constant ones never.
TEST(GreedyNhsic, LeavesOutNegativeBoundsOnly) {
  testing::Problem problem = testing::generic_problem(4, 6, 0.4, false);
  problem.f[2] = 0.0;
  testing::FakeOracle oracle(problem);
  std::vector<double> bounds = oracle.bounds(0.1);
  bounds[4] = -1.0;
  const GreedyChoice choice = choose_greedily(bounds, oracle, 100, [](std::int64_t) {});
  EXPECT_EQ(choice.chosen.size(), 5U);
  for (const Chosen& one : choice.chosen) EXPECT_NE(one.feature, 4);
}

// On tables of every kind: each is the best of those left, by f and R of full kernel matrices.
TEST(GreedyNhsic, ChoosesTheBestOfEveryTable) {
  for (const test::EngineTable& one : test::engine_tables()) {
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const test::TableNhsic oracle = test::nhsic_of_table(one.table, target, one.missing);
      SelectOptions options;
      options.method = "mrmr-nhsic";
      options.features = 12;
      options.kernel.missing = one.missing;
      Context context;
      context.threads = 2;
      const Result result = test::both::select(one.table, target, options, context);
      ASSERT_EQ(std::ssize(result.selected), std::min<std::int64_t>(12, (oracle.f.array() >= 0.0).count()));
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(oracle.f.size());
      std::vector<bool> taken(static_cast<std::size_t>(oracle.f.size()), false);
      for (std::size_t t = 0; t < result.selected.size(); ++t) {
        const SelectedFeature& feature = result.selected[t];
        const Eigen::VectorXd score = t == 0 ? oracle.f : Eigen::VectorXd(oracle.f - sum / static_cast<double>(t));
        for (Eigen::Index k = 0; k < score.size(); ++k) {
          if (taken[static_cast<std::size_t>(k)] || oracle.f[k] < 0.0) continue;
          EXPECT_GE(score[feature.index], score[k] - 2e-6) << one.name << ", step " << t << ", feature " << k;
        }
        EXPECT_NEAR(*feature.score, score[feature.index], 2e-6) << one.name;
        EXPECT_FALSE(taken[static_cast<std::size_t>(feature.index)]);
        taken[static_cast<std::size_t>(feature.index)] = true;
        sum += oracle.r.col(feature.index);
      }
      Result same = result;
      same.options.block_size = options.block_size = 16;
      context.threads = 1;
      EXPECT_EQ(test::json_without_times(test::local::select(one.table, target, options, context)),
                test::json_without_times(same));
    }
  }
}

}  // namespace
}  // namespace land
