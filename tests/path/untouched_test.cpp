#include "land/path/untouched.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace land {
namespace {

// Notes what was announced; nothing else is asked of it.
class Announced final : public PairOracle {
 public:
  int stages() const override { return 1; }
  void prepare(std::span<const FeatureId> features) override {
    all.insert(all.end(), features.begin(), features.end());
  }
  void evaluate(std::span<const PairRequest>, std::span<double>) override { FAIL(); }

  std::vector<FeatureId> all;
};

void expect_sorted(const std::vector<double>& bounds) {
  std::vector<FeatureId> expected;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    if (bounds[k] > 0.0) expected.push_back(static_cast<FeatureId>(k));
  }
  const auto bound_of = [&](FeatureId k) { return bounds[static_cast<std::size_t>(k)]; };
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return bound_of(a) > bound_of(b); });

  Announced redundancy;
  Untouched untouched(bounds);
  for (const FeatureId k : expected) {
    ASSERT_FALSE(untouched.empty());
    ASSERT_EQ(untouched.bound(), bound_of(k));
    ASSERT_EQ(untouched.take(redundancy), k);
  }
  EXPECT_TRUE(untouched.empty());
  EXPECT_EQ(redundancy.all, expected);
}

// More than a chunk of them, so that several are gathered.
constexpr std::size_t kMany = 50'000;

TEST(Untouched, FallsInBoundThenRisesInIndex) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-0.1, 1.0);
  for (const std::size_t count : {0UL, 1UL, 31UL, 33UL, 8192UL, 8193UL, kMany}) {
    std::vector<double> bounds(count);
    for (double& bound : bounds) bound = uniform(random);
    expect_sorted(bounds);
  }
}

TEST(Untouched, TiesOrderedAndExtremeBoundsLoseNothing) {
  std::mt19937_64 random(6);
  expect_sorted(std::vector<double>(kMany, 0.5));
  std::vector<double> bounds(kMany);
  for (double& bound : bounds) bound = static_cast<double>(random() % 3);
  expect_sorted(bounds);
  std::iota(bounds.begin(), bounds.end(), 1.0);  // the best last
  expect_sorted(bounds);
  std::reverse(bounds.begin(), bounds.end());
  bounds[10] = std::numeric_limits<double>::infinity();
  bounds[20] = std::numeric_limits<double>::denorm_min();
  bounds[30] = std::numeric_limits<double>::max();
  expect_sorted(bounds);
}

}  // namespace
}  // namespace land
