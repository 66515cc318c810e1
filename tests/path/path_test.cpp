// Both solvers against an independent textbook solver, the definition of optimality, and each other.
#include "land/path/path.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/path/fake_oracle.h"
#include "tests/path/path_checks.h"
#include "tests/path/textbook_path.h"

namespace land::testing {
namespace {

Path lazy(const Case& test, int stages = 3, double lowest = 0.5) {
  FakeOracle redundancy(test.problem, stages, test.seed, lowest);
  const std::vector<double> bounds = redundancy.bounds(0.01);
  return solve_lazy_path(bounds, redundancy, test.options);
}

Path plain(const Case& test) {
  FakeOracle redundancy(test.problem);
  const std::vector<double> bounds = redundancy.bounds(0.0);
  return solve_plain_path(bounds, redundancy, test.options);
}

Problem small_problem(const std::vector<double>& f, const Eigen::MatrixXd& r) {
  return {"small", Eigen::Map<const Eigen::VectorXd>(f.data(), static_cast<Eigen::Index>(f.size())), r};
}

TEST(Path, AgreesWithTheTextbookSolver) {
  std::int64_t drops = 0;
  std::int64_t returns = 0;
  for (const Case& test : generic_cases(400)) {
    SCOPED_TRACE(test.name());
    const std::vector<TextbookKnot> expected = textbook_path(test.problem, test.options.features, test.options.ridge);
    for (const Path& path : {plain(test), lazy(test)}) {
      ASSERT_EQ(path.knots.size(), expected.size());
      std::set<FeatureId> entered;
      for (std::size_t t = 0; t < expected.size(); ++t) {
        const Knot& knot = path.knots[t];
        ASSERT_EQ("ed."[static_cast<int>(knot.event)], expected[t].event) << t;
        ASSERT_EQ(knot.feature, expected[t].feature) << t;
        EXPECT_NEAR(knot.lambda, expected[t].lambda, 1e-10) << t;
        const Eigen::VectorXd difference = dense(knot, test.problem.size()) - expected[t].alpha;
        EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 1e-8) << t;
        drops += knot.event == PathEvent::kDrop;
        returns += knot.event == PathEvent::kEnter && !entered.insert(knot.feature).second;
      }
    }
  }
  EXPECT_GT(drops, 100);  // the suite does contain them
  EXPECT_GT(returns, 0);
}

TEST(Path, LazyIsPlainOnEveryProblem) {
  std::vector<Case> cases = generic_cases(100);
  for (Case& test : degenerate_cases(100)) cases.push_back(std::move(test));
  std::int64_t parked = 0;
  std::int64_t drops = 0;
  std::set<PathStop> stops;
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name());
    const Path expected = plain(test);
    expect_well_formed(expected, test);
    expect_same_knots(expected, lazy(test));
    if (::testing::Test::HasFatalFailure()) return;
    stops.insert(expected.stop);
    for (const TouchedFeature& touched : expected.touched) parked += touched.parked;
    for (const Knot& knot : expected.knots) drops += knot.event == PathEvent::kDrop;
  }
  EXPECT_GT(parked, 100);
  EXPECT_GT(drops, 100);
  EXPECT_EQ(stops.size(), 3U);
}

TEST(Path, IsTheSameWhateverTheLowStages) {
  for (const Case& test : degenerate_cases(6)) {
    SCOPED_TRACE(test.name());
    const Path expected = plain(test);
    for (const int stages : {1, 2, 3, 6}) {
      for (const double lowest : {0.0, 0.9, 1.0}) expect_same_knots(expected, lazy(test, stages, lowest));
    }
  }
}

TEST(Path, IsOptimalAtAndBetweenKnots) {
  std::vector<Case> cases = generic_cases(100);
  for (Case& test : degenerate_cases(40)) cases.push_back(std::move(test));
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name());
    const Path path = lazy(test);
    for (std::size_t t = 0; t < path.knots.size(); ++t) {
      const Eigen::VectorXd alpha = dense(path.knots[t], test.problem.size());
      const double lambda = path.knots[t].lambda;
      EXPECT_LT(kkt_violation(test.problem, alpha, lambda, test.options.ridge), 1e-9) << t;
      if (t == 0) continue;
      const Eigen::VectorXd middle = 0.5 * (alpha + dense(path.knots[t - 1], test.problem.size()));
      const double between = 0.5 * (lambda + path.knots[t - 1].lambda);
      EXPECT_LT(kkt_violation(test.problem, middle, between, test.options.ridge), 1e-9) << t;
    }
  }
}

TEST(Path, MinimisesTheObjective) {
  std::vector<Case> cases = generic_cases(20);
  for (Case& test : degenerate_cases(4)) cases.push_back(std::move(test));
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name());
    const Path path = lazy(test);
    for (std::size_t t = 0; t < path.knots.size(); t += 3) {
      const double lambda = path.knots[t].lambda;
      const Eigen::VectorXd alpha = dense(path.knots[t], test.problem.size());
      const Eigen::VectorXd other = coordinate_descent(test.problem, lambda, test.options.ridge);
      EXPECT_LT(objective(test.problem, alpha, lambda, test.options.ridge),
                objective(test.problem, other, lambda, test.options.ridge) + 1e-9)
          << t;
    }
  }
}

TEST(Path, ToFewerFeaturesIsAPrefix) {
  for (Case test : degenerate_cases(10)) {
    SCOPED_TRACE(test.name());
    test.options.features = 12;
    const Path full = lazy(test);
    for (const std::int64_t m : {1, 2, 5}) {
      test.options.features = m;
      const Path part = lazy(test);
      ASSERT_LE(part.knots.size(), full.knots.size());
      for (std::size_t t = 0; t + 1 < part.knots.size(); ++t) {
        EXPECT_EQ(part.knots[t].feature, full.knots[t].feature);
        EXPECT_EQ(part.knots[t].lambda, full.knots[t].lambda);
        EXPECT_EQ(part.knots[t].coefficients, full.knots[t].coefficients);
      }
      const Knot& end = part.knots.back();
      EXPECT_EQ(end.feature, full.knots[part.knots.size() - 1].feature);
      EXPECT_EQ(end.lambda, full.knots[part.knots.size() - 1].lambda);
    }
  }
}

TEST(Path, WithoutFeatures) {
  FakeOracle none({"none", Eigen::VectorXd(0), Eigen::MatrixXd(0, 0)});
  FakeOracle two(small_problem({0.3, 0.2}, Eigen::MatrixXd::Identity(2, 2)));
  const std::vector<double> left_out{-1.0, -1.0};
  for (const auto solve : {solve_lazy_path, solve_plain_path}) {
    for (const Path& path : {solve({}, none, {}), solve(left_out, two, {})}) {
      ASSERT_EQ(path.knots.size(), 1U);
      EXPECT_EQ(path.knots[0].event, PathEvent::kEnd);
      EXPECT_EQ(path.knots[0].lambda, 0.0);
      EXPECT_EQ(path.knots[0].feature, -1);
      EXPECT_EQ(path.stop, PathStop::kNoCandidate);
    }
  }
}

TEST(Path, LeavesOutNegativeBoundsAndIrrelevantFeatures) {
  FakeOracle redundancy(small_problem({0.9, 0.5, 0.0, 0.4}, Eigen::MatrixXd::Identity(4, 4)));
  const std::vector<double> bounds{-1.0, 0.5, 0.0, 0.45};
  for (const auto solve : {solve_lazy_path, solve_plain_path}) {
    const Path path = solve(bounds, redundancy, {});
    ASSERT_EQ(path.knots.size(), 3U);
    EXPECT_EQ(path.knots[0].feature, 1);
    EXPECT_EQ(path.knots[1].feature, 3);
    EXPECT_EQ(path.knots[1].lambda, 0.4);
    EXPECT_EQ(path.stop, PathStop::kLambdaZero);
    EXPECT_NEAR(path.knots[2].coefficients[0].second, 0.5, 1e-12);
  }
}

TEST(Path, OfIrrelevantFeaturesOnlyEndsAtOnce) {
  FakeOracle redundancy(small_problem({0.0, 0.0}, Eigen::MatrixXd::Identity(2, 2)));
  for (const auto solve : {solve_lazy_path, solve_plain_path}) {
    for (const double bound : {0.0, 0.01}) {
      const Path path = solve(std::vector<double>{bound, bound}, redundancy, {});
      ASSERT_EQ(path.knots.size(), 1U);
      EXPECT_EQ(path.stop, PathStop::kLambdaZero);
    }
  }
}

TEST(Path, TiesGoToTheLowestIndex) {
  const int d = 40;
  Case test{small_problem(std::vector<double>(d, 0.5), Eigen::MatrixXd::Identity(d, d)), {}, 3};
  test.options.features = d;
  for (const Path& path : {plain(test), lazy(test)}) {
    ASSERT_EQ(path.knots.size(), d + 1U);
    for (int k = 0; k < d; ++k) {
      EXPECT_EQ(path.knots[k].feature, k);
      EXPECT_EQ(path.knots[k].lambda, 0.5);
    }
    EXPECT_EQ(path.stop, PathStop::kNoCandidate);
    for (const auto& [feature, alpha] : path.knots.back().coefficients) EXPECT_NEAR(alpha, 0.5, 1e-12);
  }
}

// Exact, rotated and rescaled-to-rounding copies of a few features, hundreds of them.
TEST(Path, CopiesNeverEnterBesideEachOther) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    ProblemBuilder builder(12, seed);
    for (int k = 0; k < 6; ++k) builder.add_random(2);
    std::vector<std::int64_t> origin{0, 1, 2, 3, 4, 5};
    while (builder.size() < 200) {
      const std::int64_t of = builder.below(6);
      origin.push_back(of);
      if (builder.uniform() < 0.5) {
        builder.add_copy(of);
      } else {
        builder.add_mirrored_copy(of);
      }
    }
    Case test{builder.build("copies", builder.gaussian(4)), {}, seed};
    for (const Path& path : {plain(test), lazy(test)}) {
      SCOPED_TRACE(test.name());
      expect_well_formed(path, test);
      EXPECT_LE(path.knots.size(), 30U);  // nobody swaps
      for (const Knot& knot : path.knots) {
        std::set<std::int64_t> origins;
        for (const auto& [feature, alpha] : knot.coefficients) EXPECT_TRUE(origins.insert(origin[feature]).second);
      }
      std::set<std::int64_t> active;
      std::set<FeatureId> parked;
      for (const auto& [feature, alpha] : path.knots.back().coefficients) active.insert(origin[feature]);
      for (const TouchedFeature& touched : path.touched) {
        if (touched.parked) parked.insert(touched.feature);
      }
      for (const auto& [feature, alpha] : path.knots.back().coefficients) parked.insert(feature);
      for (FeatureId k = 0; k < 200; ++k) EXPECT_EQ(active.contains(origin[k]), parked.contains(k)) << k;
    }
    expect_same_knots(plain(test), lazy(test));
  }
}

// A copy ties with its twin until that enters, and costs nothing more from then on.
TEST(Path, CopiesOfActiveFeaturesAreLeftAlone) {
  ProblemBuilder builder(12, 9);
  for (int k = 0; k < 20; ++k) builder.add_random(2);
  while (builder.size() < 200) builder.add_copy((builder.size() * 7) % 20);
  FakeOracle redundancy(builder.build("copies", builder.gaussian(4)), 3, 1, 0.98);
  const std::vector<double> bounds = redundancy.bounds(1e-4);
  const Path path = solve_lazy_path(bounds, redundancy, {});
  std::vector<std::int64_t> active_at_entry(200, -1);
  for (const Knot& knot : path.knots) {
    if (knot.event != PathEvent::kEnter) continue;
    active_at_entry[knot.feature % 20] = static_cast<std::int64_t>(knot.coefficients.size()) - 1;
  }
  std::int64_t parked = 0;
  for (const TouchedFeature& touched : path.touched) {
    if (!touched.parked) continue;
    ++parked;
    const FeatureId k = touched.feature;
    const FeatureId origin = k < 20 ? k : (k * 7) % 20;
    std::int64_t last = 0;
    for (const auto& [feature, stage] : touched.pairs) last += stage == 3;
    EXPECT_LE(last, active_at_entry[origin] + 1 + 3) << k;  // its twin, and what was asked for together with it
  }
  EXPECT_GT(parked, 50);
}

TEST(Path, WithRidgeCopiesShare) {
  ProblemBuilder builder(12, 5);
  for (int k = 0; k < 3; ++k) builder.add_random(2);
  for (int k = 0; k < 3; ++k) builder.add_copy(k);
  Case test{builder.build("shared", builder.gaussian(4)), {}, 5};
  test.options.ridge = 0.1;
  for (const Path& path : {plain(test), lazy(test)}) {
    const Eigen::VectorXd alpha = dense(path.knots.back(), 6);
    ASSERT_EQ(path.knots.back().coefficients.size(), 6U);
    for (int k = 0; k < 3; ++k) {
      EXPECT_GT(alpha[k], 0.0);
      EXPECT_NEAR(alpha[k], alpha[k + 3], 1e-12);
    }
  }
}

TEST(Path, NearCopiesAreNeverHuge) {
  for (const double noise : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      ProblemBuilder builder(12, seed);
      for (int k = 0; k < 8; ++k) builder.add_random(2);
      for (int k = 0; k < 24; ++k) builder.add_near_copy(k % 8, noise);
      Case test{builder.build("near copies", builder.gaussian(4)), {}, seed};
      SCOPED_TRACE(test.name() + " " + std::to_string(noise));
      const Path path = plain(test);
      expect_well_formed(path, test);
      expect_same_knots(path, lazy(test));
      for (const Knot& knot : path.knots) {
        EXPECT_LT(kkt_violation(test.problem, dense(knot, 32), knot.lambda, 0.0), 1e-9);
      }
    }
  }
}

TEST(Path, CallsBackAtEveryKnotAndCanBeStopped) {
  Case test = generic_cases(9).back();
  test.options.features = 5;
  for (const auto solve : {solve_lazy_path, solve_plain_path}) {
    FakeOracle redundancy(test.problem);
    const std::vector<double> bounds = redundancy.bounds(0.01);
    std::vector<std::int64_t> active;
    test.options.on_knot = [&](std::int64_t count) { active.push_back(count); };
    const Path path = solve(bounds, redundancy, test.options);
    ASSERT_EQ(active.size(), path.knots.size());
    EXPECT_EQ(active.front(), 1);
    EXPECT_EQ(active.back(), static_cast<std::int64_t>(path.knots.back().coefficients.size()));
    test.options.on_knot = [](std::int64_t) { throw std::runtime_error("stop"); };
    EXPECT_THROW(solve(bounds, redundancy, test.options), std::runtime_error);
  }
}

TEST(Path, StopsHaveNames) {
  EXPECT_EQ(to_string(PathStop::kFeaturesReached), "m_reached");
  EXPECT_EQ(to_string(PathStop::kLambdaZero), "lambda_zero");
  EXPECT_EQ(to_string(PathStop::kNoCandidate), "no_candidate");
}

// Ten signals among two thousand features of noise.
class Laziness : public ::testing::Test {
 protected:
  static Problem sparse_signal() {
    ProblemBuilder builder(60, 11);
    const Eigen::MatrixXd y = builder.gaussian(5);
    for (int k = 0; k < 2000; ++k) {
      Eigen::MatrixXd g = builder.gaussian(3);
      if (k % 200 == 7) g += 1.5 * y.leftCols(3);
      builder.add(g);
    }
    return builder.build("sparse signal", y);
  }
};

TEST_F(Laziness, EvaluatesASmallPart) {
  const Problem problem = sparse_signal();
  PathOptions options;
  options.features = 20;
  FakeOracle redundancy(problem, 3, 1, 0.9);
  const std::vector<double> bounds = redundancy.bounds(1e-3);
  const Path path = solve_lazy_path(bounds, redundancy, options);
  EXPECT_EQ(path.stop, PathStop::kFeaturesReached);
  const auto all = static_cast<double>(options.features * problem.size());
  EXPECT_LT(static_cast<double>(redundancy.full()), 0.03 * all);
  EXPECT_LT(static_cast<double>(redundancy.evaluations()), 0.15 * all);
  EXPECT_LT(redundancy.relevances(), 200);
  EXPECT_LT(path.touched.size(), 1200U);
  EXPECT_EQ(redundancy.repeated(), 0);  // nothing is asked for twice

  std::int64_t counted = 0;
  for (const std::int64_t pairs : path.pairs_by_stage) counted += pairs;
  EXPECT_EQ(counted, redundancy.evaluations());
  EXPECT_EQ(path.pairs_by_stage[2], redundancy.full());

  FakeOracle all_of_it(problem);
  expect_same_knots(solve_plain_path(bounds, all_of_it, options), path);
  EXPECT_GT(static_cast<double>(all_of_it.full()), 0.9 * all);
}

TEST_F(Laziness, WorkDependsOnTheDataAlone) {
  const Problem problem = sparse_signal();
  std::vector<std::int64_t> work;
  for (int run = 0; run < 2; ++run) {
    FakeOracle redundancy(problem, 3, 1, 0.9);
    const std::vector<double> bounds = redundancy.bounds(1e-3);
    solve_lazy_path(bounds, redundancy, {});
    work.push_back(redundancy.evaluations());
    work.push_back(redundancy.calls());
  }
  EXPECT_EQ(work[0], work[2]);
  EXPECT_EQ(work[1], work[3]);
}

}  // namespace
}  // namespace land::testing
