// Factors of very many samples, which are made as they are read: bit for bit what they are when they are stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/factor.h"
#include "tests/support/kernels.h"
#include "tests/support/samples.h"

namespace land {
namespace {

// Not a whole number of chunks.
constexpr std::int64_t kSamples = kLeastStreamed + 77;

std::vector<double> normal_column(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> column(static_cast<std::size_t>(kSamples));
  for (double& value : column) value = normal(random);
  return column;
}

std::vector<double> with_gaps(std::vector<double> column) {
  for (std::size_t i = 0; i < column.size(); i += 1000) column[i] = std::numeric_limits<double>::quiet_NaN();
  column.back() = std::numeric_limits<double>::quiet_NaN();
  return column;
}

// More distinct values than codes have, few enough to be merged.
std::vector<double> in_steps(std::vector<double> column) {
  for (double& value : column) value = std::round(value * 50.0);
  return column;
}

Factor factor_of(const std::vector<double>& column, Missing missing, FactorUse use = FactorUse::kPairs) {
  KernelOptions options;
  options.missing = missing;
  return test::make_factor(test::block_of(column).view(0), options, use);
}

TEST(StreamedFactor, TakesHardlyMoreThanItsValues) {
  const Factor factor = factor_of(normal_column(1), Missing::kError);
  ASSERT_NE(factor.streamed, nullptr);
  EXPECT_LT(factor.bytes(), 9 * kSamples);
  EXPECT_EQ(factor.stored.values.size(), 0U);
  EXPECT_GT(factor.columns, 10);
  EXPECT_GT(stored_by_sample(factor).bytes(), 80 * kSamples);
}

TEST(StreamedFactor, IsCentredAndHasOrthogonalColumns) {
  for (const Missing missing : {Missing::kIgnore, Missing::kLevel}) {
    const Factor factor = factor_of(with_gaps(normal_column(2)), missing);
    const auto r = static_cast<std::size_t>(factor.columns);
    std::vector<double> sums(r);
    column_sums(factor.by_sample(), sums.data());
    std::vector<double> products(r * r);
    column_products(factor.by_sample(), factor.by_sample(), products.data());
    for (std::size_t a = 0; a < r; ++a) {
      EXPECT_NEAR(sums[a], 0.0, 1e-7 * kSamples);
      for (std::size_t b = 0; b < a; ++b) EXPECT_NEAR(products[a * r + b], 0.0, 1e-9 * factor.norm);
    }
    EXPECT_NEAR(std::sqrt(sum_of_squares(products, factor.columns, factor.columns)) / factor.norm, 1.0, 1e-9);
  }
}

TEST(StreamedFactor, GivesThePairsOfAStoredOne) {
  const std::vector<double> one = normal_column(3);
  std::vector<double> two = normal_column(4);
  for (std::size_t i = 0; i < two.size(); ++i) two[i] += one[i] * one[i];
  std::vector<Factor> factors;
  for (const Missing missing : {Missing::kIgnore, Missing::kLevel}) {
    factors.push_back(factor_of(one, missing));
    factors.push_back(factor_of(with_gaps(two), missing));
    factors.push_back(factor_of(with_gaps(two), missing, FactorUse::kRelevance));
    factors.push_back(factor_of(in_steps(two), missing));
    std::vector<double> few = two;
    for (double& value : few) value = std::round(value);
    factors.push_back(factor_of(few, missing));
  }
  EXPECT_EQ(std::count_if(factors.begin(), factors.end(), [](const Factor& factor) { return factor.coded(); }), 2);
  std::vector<Factor> stored;
  for (const Factor& factor : factors) {
    EXPECT_NE(factor.coded(), factor.streamed != nullptr);
    stored.push_back(factor.coded() ? factor : stored_by_sample(factor));
  }
  for (std::size_t a = 0; a < factors.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      EXPECT_EQ(redundancy(factors[a], factors[b]), redundancy(stored[a], stored[b])) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace land
