// What tests of the path have in common: comparison of knots, and the conditions of optimality from their definition.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "land/path/path.h"
#include "tests/path/problems.h"

namespace land::testing {

// A problem and how its path is asked for.
struct Case {
  Problem problem;
  PathOptions options;
  std::uint64_t seed = 0;
  std::string name() const {
    return problem.name + " " + std::to_string(seed) + ", m " + std::to_string(options.features) + ", ridge " +
           std::to_string(options.ridge);
  }
};

inline Case make_case(Problem problem, std::uint64_t seed) {
  Case test{std::move(problem), {}, seed};
  test.options.features = seed % 3 == 0 ? test.problem.size() + 5 : 1 + static_cast<std::int64_t>(seed % 20);
  if (seed % 5 == 4) test.options.ridge = 1e-3 * static_cast<double>(seed % 7 + 1);
  return test;
}

inline std::vector<Case> generic_cases(std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto d = static_cast<std::int64_t>(5 + seed % 50);
    cases.push_back(
        make_case(generic_problem(seed, d, 0.1 + 0.3 * static_cast<double>(seed % 4), seed % 2 == 1), seed));
  }
  return cases;
}

inline std::vector<Case> degenerate_cases(std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    cases.push_back(make_case(degenerate_problem(seed, static_cast<std::int64_t>(20 + seed % 30)), seed));
    cases.push_back(make_case(collinear_problem(seed, static_cast<std::int64_t>(5 + seed % 40)), seed));
    cases.push_back(make_case(near_copy_problem(seed, static_cast<std::int64_t>(4 + seed % 30)), seed));
    cases.push_back(make_case(binary_problem(seed, static_cast<std::int64_t>(5 + seed % 60), 5 + seed % 6), seed));
    cases.push_back(make_case(block_problem(seed, static_cast<std::int64_t>(1 + seed % 8)), seed));
  }
  return cases;
}

inline void expect_same_knots(const Path& a, const Path& b) {
  ASSERT_EQ(a.knots.size(), b.knots.size());
  EXPECT_EQ(a.stop, b.stop);
  for (std::size_t t = 0; t < a.knots.size(); ++t) {
    const Knot& x = a.knots[t];
    const Knot& y = b.knots[t];
    ASSERT_EQ(x.event, y.event) << "knot " << t;
    ASSERT_EQ(x.feature, y.feature) << "knot " << t;
    ASSERT_EQ(x.coefficients.size(), y.coefficients.size()) << "knot " << t;
    EXPECT_NEAR(x.lambda, y.lambda, 1e-12 * a.knots[0].lambda) << "knot " << t;
    for (std::size_t i = 0; i < x.coefficients.size(); ++i) {
      ASSERT_EQ(x.coefficients[i].first, y.coefficients[i].first) << "knot " << t;
      EXPECT_NEAR(x.coefficients[i].second, y.coefficients[i].second, 1e-12) << "knot " << t;
    }
  }
}

inline Eigen::VectorXd dense(const Knot& knot, std::int64_t size) {
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(size);
  for (const auto& [feature, value] : knot.coefficients) alpha[feature] = value;
  return alpha;
}

// Where alpha > 0: f - R alpha - rho alpha = lambda; elsewhere f - R alpha <= lambda. Relative to max f.
inline double kkt_violation(const Problem& problem, const Eigen::VectorXd& alpha, double lambda, double ridge) {
  const Eigen::VectorXd c = problem.f - problem.r * alpha - ridge * alpha;
  double worst = -alpha.minCoeff();
  for (Eigen::Index k = 0; k < c.size(); ++k) {
    worst = std::max(worst, alpha[k] > 0.0 ? std::abs(c[k] - lambda) : c[k] - lambda);
  }
  return worst / problem.f.maxCoeff();
}

// The shape of a path: lambda falls, one event at a time, coefficients in bounds. c_k >= lambda >= 0 for active k and
// R >= 0 give R_kk alpha_k <= f_k: never negative, never huge.
inline void expect_well_formed(const Path& path, const Case& test) {
  ASSERT_FALSE(path.knots.empty());
  EXPECT_EQ(path.knots.back().event, PathEvent::kEnd);
  std::vector<FeatureId> active;
  double above = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < path.knots.size(); ++t) {
    const Knot& knot = path.knots[t];
    EXPECT_LE(knot.lambda, above);
    EXPECT_GE(knot.lambda, 0.0);
    above = knot.lambda;
    if (knot.event == PathEvent::kEnter) {
      EXPECT_EQ(std::count(active.begin(), active.end(), knot.feature), 0);
      active.push_back(knot.feature);
      EXPECT_LE(static_cast<std::int64_t>(active.size()), test.options.features);
    }
    std::vector<FeatureId> listed;
    for (const auto& [feature, alpha] : knot.coefficients) {
      listed.push_back(feature);
      EXPECT_GE(alpha, 0.0);
      EXPECT_LE(alpha * test.problem.r(feature, feature), test.problem.f[feature] * (1.0 + 1e-8));
      if (knot.event != PathEvent::kEnd && feature == knot.feature) {
        EXPECT_EQ(alpha, 0.0);
      }
    }
    EXPECT_EQ(listed, active) << "knot " << t;
    if (knot.event == PathEvent::kDrop) {
      EXPECT_EQ(std::erase(active, knot.feature), 1U);
    }
    EXPECT_EQ(knot.event == PathEvent::kEnd, t + 1 == path.knots.size());
  }
  const Knot& end = path.knots.back();
  EXPECT_EQ(path.stop == PathStop::kFeaturesReached, end.feature >= 0);
  if (path.stop == PathStop::kFeaturesReached) {
    EXPECT_EQ(static_cast<std::int64_t>(active.size()), test.options.features);
  } else {
    EXPECT_EQ(end.lambda, 0.0);
  }
}

}  // namespace land::testing
