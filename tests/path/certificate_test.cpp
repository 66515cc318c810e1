#include "land/path/certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/path/fake_oracle.h"
#include "tests/path/path_checks.h"

namespace land::testing {
namespace {

Certificate certify_case(const Case& test, const Path& path, std::span<const double> bounds, double lowest = 0.5) {
  FakeOracle redundancy(test.problem, 3, test.seed, lowest);
  CertificateOptions options;
  options.ridge = test.options.ridge;
  return certify(path, bounds, redundancy, options);
}

TEST(Certificate, HoldsForEveryPath) {
  std::vector<Case> cases = generic_cases(100);
  for (Case& test : degenerate_cases(100)) cases.push_back(std::move(test));
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name());
    FakeOracle redundancy(test.problem, 3, test.seed, 0.5);
    const std::vector<double> bounds = redundancy.bounds(0.01);
    for (const auto solve : {solve_lazy_path, solve_plain_path}) {
      const Path path = solve(bounds, redundancy, test.options);
      const Certificate certificate = certify_case(test, path, bounds);
      EXPECT_TRUE(certificate.valid) << certificate.max_violation << " " << certificate.parked_violation << " "
                                     << certificate.max_bound_excess;
      EXPECT_EQ(certificate.knots_checked, static_cast<std::int64_t>(path.knots.size()));
      EXPECT_EQ(certificate.features_evaluated + certificate.features_bounded, test.problem.size());
      std::int64_t parked = 0;
      for (const TouchedFeature& touched : path.touched) parked += touched.parked;
      EXPECT_EQ(certificate.features_parked, parked);
    }
  }
}

TEST(Certificate, HoldsWithoutFeatures) {
  FakeOracle none({"none", Eigen::VectorXd(0), Eigen::MatrixXd(0, 0)});
  const Path path = solve_lazy_path({}, none, {});
  const Certificate certificate = certify(path, {}, none, {});
  EXPECT_TRUE(certificate.valid);
  EXPECT_TRUE(std::isinf(certificate.max_bound_excess));
}

// A problem of which much stays untouched.
class Corrupted : public ::testing::Test {
 protected:
  Corrupted() : test_{generic_problem(5, 300, 1.0, false), {}, 5} {
    test_.options.features = 8;
    FakeOracle redundancy(test_.problem, 3, test_.seed, 0.9);
    bounds_ = redundancy.bounds(0.001);
    path_ = solve_lazy_path(bounds_, redundancy, test_.options);
  }

  Certificate certificate() { return certify_case(test_, path_, bounds_, 0.9); }

  std::int64_t untouched() const {
    std::set<FeatureId> touched;
    for (const TouchedFeature& feature : path_.touched) touched.insert(feature.feature);
    std::int64_t k = 0;
    while (touched.contains(k)) ++k;
    return k;
  }

  Case test_;
  std::vector<double> bounds_;
  Path path_;
};

TEST_F(Corrupted, NotAtAllIsValid) {
  const Certificate valid = certificate();
  EXPECT_TRUE(valid.valid);
  EXPECT_LT(valid.max_violation, 1e-12);
  EXPECT_GT(valid.bounds_sampled, 10);
  EXPECT_LE(valid.max_bound_excess, 0.0);
}

TEST_F(Corrupted, CoefficientIsSeen) {
  for (const std::size_t knot : {std::size_t{3}, path_.knots.size() - 1}) {
    const Path good = path_;
    path_.knots[knot].coefficients[1].second *= 1.0 + 1e-6;
    EXPECT_FALSE(certificate().valid);
    path_ = good;
    path_.knots[knot].coefficients[0].second = -1e-6;
    EXPECT_FALSE(certificate().valid);
    path_ = good;
    path_.knots[knot].coefficients[0].second = std::nan("");
    EXPECT_FALSE(certificate().valid);
    path_ = good;
  }
}

TEST_F(Corrupted, LambdaIsSeen) {
  for (std::size_t knot = 0; knot < path_.knots.size(); ++knot) {
    const double lambda = path_.knots[knot].lambda;
    for (const double factor : {1.0 - 1e-7, 1.0 + 1e-7}) {
      path_.knots[knot].lambda = lambda * factor;
      EXPECT_FALSE(certificate().valid) << knot;
    }
    path_.knots[knot].lambda = lambda;
  }
}

TEST_F(Corrupted, RedundancyIsSeen) {
  const auto& active = path_.knots.back().coefficients;
  const FeatureId i = active[0].first;
  const FeatureId j = active[2].first;
  test_.problem.r(i, j) += 1e-6;
  test_.problem.r(j, i) += 1e-6;
  EXPECT_FALSE(certificate().valid);
}

TEST_F(Corrupted, RedundancyOfAnInactiveFeatureIsSeen) {
  // Whoever would enter at the end is at c = lambda there.
  const FeatureId k = path_.knots.back().feature;
  const FeatureId i = path_.knots.back().coefficients[0].first;
  test_.problem.r(k, i) -= 1e-6;
  test_.problem.r(i, k) -= 1e-6;
  EXPECT_FALSE(certificate().valid);
}

TEST_F(Corrupted, RelevanceIsSeen) {
  for (const FeatureId k : {path_.knots.back().coefficients[1].first, path_.knots.back().feature}) {
    test_.problem.f[k] += 1e-7;
    EXPECT_FALSE(certificate().valid);
    test_.problem.f[k] -= 1e-7;
  }
  test_.problem.f[path_.knots[0].feature] = std::nan("");
  EXPECT_FALSE(certificate().valid);
}

TEST_F(Corrupted, BoundIsSeen) {
  const std::int64_t k = untouched();
  const double bound = bounds_[k];
  bounds_[k] = test_.problem.f[k] * (1.0 - 1e-6);  // all untouched are sampled here
  Certificate wrong = certificate();
  EXPECT_FALSE(wrong.valid);
  EXPECT_GT(wrong.max_bound_excess, 0.0);
  bounds_[k] = path_.knots.back().lambda * 1.001;  // it should have been looked at
  wrong = certificate();
  EXPECT_FALSE(wrong.valid);
  EXPECT_GT(wrong.max_violation, 1e-4);
  bounds_[k] = bound;
  EXPECT_TRUE(certificate().valid);
}

TEST_F(Corrupted, EvidenceIsSeen) {
  // Without its pairs the feature that would enter is not bounded.
  const FeatureId k = path_.knots.back().feature;
  for (TouchedFeature& touched : path_.touched) {
    if (touched.feature == k) touched.pairs.clear();
  }
  EXPECT_FALSE(certificate().valid);
}

TEST_F(Corrupted, ShapeIsSeen) {
  const Path good = path_;
  path_.knots.pop_back();
  EXPECT_FALSE(certificate().valid);
  path_ = good;
  path_.knots.clear();
  EXPECT_FALSE(certificate().valid);
  path_ = good;
  path_.knots[2].coefficients[0].first = 1000000;
  EXPECT_FALSE(certificate().valid);
  path_ = good;
  path_.knots[2].coefficients.erase(path_.knots[2].coefficients.begin());
  EXPECT_FALSE(certificate().valid);
  path_ = good;
  std::swap(path_.knots[2], path_.knots[3]);
  EXPECT_FALSE(certificate().valid);
  path_ = good;
  path_.touched.erase(path_.touched.begin());
  EXPECT_FALSE(certificate().valid);
}

TEST_F(Corrupted, SampleIsKeyedBySeed) {
  FakeOracle redundancy(test_.problem, 3, test_.seed, 0.9);
  CertificateOptions options;
  options.sample = 10;
  std::vector<double> excess;
  for (const std::uint64_t seed : {1, 1, 2, 3, 4}) {
    options.seed = seed;
    const Certificate certificate = certify(path_, bounds_, redundancy, options);
    EXPECT_EQ(certificate.bounds_sampled, 10);
    excess.push_back(certificate.max_bound_excess);
  }
  EXPECT_EQ(excess[0], excess[1]);
  EXPECT_FALSE(excess[0] == excess[2] && excess[0] == excess[3] && excess[0] == excess[4]);
}

// Copies are bounded through the feature they copy, with the pairs that the solver had.
TEST(Certificate, OfCopiesAsksForNoMore) {
  ProblemBuilder builder(12, 9);
  for (int k = 0; k < 10; ++k) builder.add_random(2);
  while (builder.size() < 400) builder.add_copy(builder.below(10));
  const Problem problem = builder.build("copies", builder.gaussian(4));
  FakeOracle redundancy(problem, 3, 1, 0.98);
  const std::vector<double> bounds = redundancy.bounds(1e-4);
  const Path path = solve_lazy_path(bounds, redundancy, {});
  FakeOracle fresh(problem, 3, 1, 0.98);
  const Certificate certificate = certify(path, bounds, fresh, {});
  EXPECT_TRUE(certificate.valid);
  EXPECT_GT(certificate.features_parked, 200);
  EXPECT_LT(certificate.parked_violation, 1e-6);
  EXPECT_LE(fresh.full(), redundancy.full());
}

}  // namespace
}  // namespace land::testing
