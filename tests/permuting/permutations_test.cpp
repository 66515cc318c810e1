#include "land/permuting/permutations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "tests/support/samples.h"

namespace land {
namespace {

using Order = std::vector<std::int32_t>;

Order order_of(const Permutations& permutations, std::int64_t number) {
  Order order(static_cast<std::size_t>(permutations.samples()));
  permutations.order(number, order);
  return order;
}

Order in_place(std::size_t n) {
  Order order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<double> counting(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

// The target as a permutation arranges it.
std::vector<int> arranged(const std::vector<int>& labels, const Order& order) {
  std::vector<int> result;
  for (const std::int32_t from : order) result.push_back(labels[static_cast<std::size_t>(from)]);
  return result;
}

TEST(Permutations, AreOrdersOfTheSamples) {
  const Permutations permutations(test::numeric_target(counting(50)), {}, 7, 30);
  ASSERT_EQ(permutations.count(), 30);
  EXPECT_FALSE(permutations.are_all());
  EXPECT_EQ(order_of(permutations, 0), in_place(50));
  std::set<Order> seen;
  for (std::int64_t b = 1; b <= 30; ++b) {
    Order order = order_of(permutations, b);
    EXPECT_TRUE(seen.insert(order).second) << b;
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, in_place(50));
  }
}

TEST(Permutations, DependOnSeedAndNumberAlone) {
  const Target target = test::numeric_target(counting(50));
  const Permutations few(target, {}, 7, 30);
  const Permutations many(target, {}, 7, 3000);
  const Permutations others(target, {}, 8, 30);
  for (std::int64_t b = 1; b <= 30; ++b) {
    EXPECT_EQ(order_of(few, b), order_of(many, b));
    EXPECT_NE(order_of(few, b), order_of(others, b));
  }
}

TEST(Permutations, AreAllAlikeLikely) {
  const Permutations permutations(test::numeric_target({0, 1, 2, 3, 3.5}), {}, 1, 60);  // of 120 arrangements
  std::map<Order, int> counts;
  constexpr int kDrawn = 60;
  for (int seed = 0; seed < 400; ++seed) {
    const Permutations some(test::numeric_target({0, 1, 2, 3, 3.5}), {}, seed, kDrawn);
    for (std::int64_t b = 1; b <= kDrawn; ++b) ++counts[order_of(some, b)];
  }
  ASSERT_EQ(counts.size(), 120U);
  double chi_square = 0.0;
  constexpr double kExpected = 400.0 * kDrawn / 120.0;
  for (const auto& [order, count] : counts) chi_square += (count - kExpected) * (count - kExpected) / kExpected;
  EXPECT_LT(chi_square, 119.0 + 4.0 * std::sqrt(2.0 * 119.0));  // 119 degrees of freedom
}

TEST(Permutations, StayWithinStrata) {
  std::vector<std::int32_t> strata;
  for (int i = 0; i < 60; ++i) strata.push_back(i % 3);
  const Permutations permutations(test::numeric_target(counting(60)), strata, 3, 20);
  for (std::int64_t b = 1; b <= 20; ++b) {
    const Order order = order_of(permutations, b);
    EXPECT_NE(order, in_place(60));
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(strata[static_cast<std::size_t>(order[i])], strata[i]);
    }
  }
}

TEST(Permutations, AreListedIfThereAreNoMore) {
  const std::vector<int> labels = {0, 1, 0, 0, 1, 1, 0, 1};
  const Target target = test::class_target(labels, 2);
  for (const std::int64_t asked : {69, 70, 1000}) {
    const Permutations permutations(target, {}, 5, asked);
    EXPECT_TRUE(permutations.are_all());
    EXPECT_EQ(permutations.distinct(), 70);
    ASSERT_EQ(permutations.count(), 69);
    std::set<std::vector<int>> seen = {labels};
    for (std::int64_t b = 1; b <= 69; ++b) {
      Order order = order_of(permutations, b);
      EXPECT_TRUE(seen.insert(arranged(labels, order)).second) << b;
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, in_place(8));
    }
    EXPECT_EQ(seen.size(), 70U);
  }
  EXPECT_FALSE(Permutations(target, {}, 5, 68).are_all());
}

TEST(Permutations, AreListedWithinStrata) {
  const std::vector<int> labels = {0, 1, 0, 0, 1, 1, 0, 1};
  const std::vector<std::int32_t> strata = {0, 0, 0, 1, 1, 1, 1, 2};
  const Permutations permutations(test::class_target(labels, 2), strata, 5, 100);
  ASSERT_EQ(permutations.count(), 3 * 6 - 1);
  std::set<std::vector<int>> seen;
  for (std::int64_t b = 0; b <= permutations.count(); ++b) {
    const Order order = order_of(permutations, b);
    seen.insert(arranged(labels, order));
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(strata[static_cast<std::size_t>(order[i])], strata[i]);
    }
  }
  EXPECT_EQ(seen.size(), 18U);
}

TEST(Permutations, CountEqualNumbersOnce) {
  const Permutations permutations(test::numeric_target({1.5, 1.5, 1.5, 1.5, 1.5, 2.0}), {}, 5, 100);
  EXPECT_EQ(permutations.count(), 5);
  EXPECT_EQ(Permutations(test::numeric_target(counting(300)), {}, 5, 100).distinct(), std::int64_t{1} << 53U);
}

TEST(Permutations, MayBeNone) {
  const std::vector<std::int32_t> strata = {0, 0, 1, 1, 0, 1};
  const Permutations permutations(test::class_target({0, 0, 1, 1, 0, 1}, 2), strata, 5, 100);
  EXPECT_EQ(permutations.count(), 0);
}

}  // namespace
}  // namespace land
