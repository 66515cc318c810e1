#include "land/inference/chance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace land {
namespace {

// Two permutations of features whose relevances are 3, 2 and 1.
Chance small(double most_expected = 10.0, double floor = 0.0) {
  return Chance({2.5, 1.5}, {2.5, 0.5, 0.25, 1.5, 1.5, 0.5}, {1.0, 3.0, 2.0}, 3.0, floor, most_expected);
}

TEST(Chance, CountsPermutationsThatComeAsFar) {
  const Chance chance = small();
  EXPECT_DOUBLE_EQ(chance.p_fwer(3.0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(chance.p_fwer(2.0), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(chance.p_fwer(1.0), 1.0);
  EXPECT_DOUBLE_EQ(chance.p_of_largest(), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(chance.p_fwer(2.5 * (1.0 + 1e-10)), 2.0 / 3.0) << "ties count";
  EXPECT_DOUBLE_EQ(chance.p_fwer(2.5 * (1.0 + 1e-8)), 1.0 / 3.0);
}

TEST(Chance, ExpectsFeaturesByTheMeanOverPermutations) {
  const Chance chance = small();
  EXPECT_DOUBLE_EQ(*chance.expected(3.0), 1.0 / 3.0);          // itself
  EXPECT_DOUBLE_EQ(*chance.expected(2.0), 3.0 / 3.0);          // two, and 2.5
  EXPECT_DOUBLE_EQ(*chance.expected(1.0), (3.0 + 3.0) / 3.0);  // three, and 2.5, 1.5, 1.5
  EXPECT_FALSE(small(1.5).expected(1.0).has_value()) << "more than is told";
  EXPECT_FALSE(small(10.0, 1.5).expected(1.0).has_value()) << "not all are known";
}

TEST(Chance, GivesTheLeastShareOfFalseOnes) {
  const Chance chance = small();
  // E / R is 1/3, 1/2 and 2/3 down the list; every shorter list that has the feature may be the better one.
  EXPECT_DOUBLE_EQ(*chance.q(3.0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(*chance.q(2.0), 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(*chance.q(1.0), 2.0 / 3.0);
  EXPECT_FALSE(small(1.5).q(1.0).has_value());
  // A feature high up takes the share of a longer list, if that is less: 1/2 for the first alone, 1/4 for both.
  const Chance longer({5.0}, {5.0}, {3.0, 2.9}, 3.0, 0.0, 10.0);
  EXPECT_DOUBLE_EQ(*longer.q(3.0), *longer.q(2.9));
  EXPECT_DOUBLE_EQ(*longer.q(2.9), 3.0 / 2.0 / 2.0);
}

TEST(Chance, NeverSaysMoreThanAll) {
  const Chance chance({2.0}, {2.0, 2.0, 2.0}, {1.0}, 1.0, 0.0, 10.0);
  EXPECT_DOUBLE_EQ(*chance.q(1.0), 1.0);
}

TEST(Chance, EndsWhereItComesFartherWithProbabilityAlpha) {
  std::vector<double> largest;
  for (int b = 1; b <= 99; ++b) largest.push_back(b);
  const Chance chance(largest, {}, {}, 0.0, 0.0, 10.0);
  EXPECT_NEAR(chance.threshold(0.05), 95.0, 1e-6);
  EXPECT_GT(chance.threshold(0.05), 95.0) << "what ties is not above";
  EXPECT_NEAR(chance.threshold(0.5), 50.0, 1e-6);
  EXPECT_NEAR(chance.threshold(0.01), 99.0, 1e-6);
  EXPECT_TRUE(std::isinf(chance.threshold(0.009)));
  // What is above it has a p of alpha at most.
  for (const double alpha : {0.01, 0.05, 0.1, 0.33}) EXPECT_LE(chance.p_fwer(chance.threshold(alpha) * 1.001), alpha);
}

}  // namespace
}  // namespace land
