// Products that another instance computed are believed only when they are true.
#include "land/pairs/kept_products.h"

#include <gtest/gtest.h>

#include "land/kernels/factors/column_products.h"
#include "tests/support/kernels.h"
#include "tests/support/samples.h"

namespace land {
namespace {

struct Side {
  std::vector<FeatureId> features;
  std::vector<Factor> factors;
};

// The features that are by sample, numbered from `first`.
Side side(int samples, int seed, FeatureId first) {
  Side result;
  for (const auto& [name, column] : test::sample_columns(samples, static_cast<unsigned>(seed))) {
    Factor factor = test::make_factor(test::block_of(column).view(0), {});
    if (factor.coded()) continue;
    result.features.push_back(first++);
    result.factors.push_back(std::move(factor));
  }
  return result;
}

class ProductTestOfSize : public testing::TestWithParam<int> {};

TEST_P(ProductTestOfSize, BelievesWhatIsTrueAndNothingElse) {
  const Side rights = side(GetParam(), 1, 0);
  const Side lefts = side(GetParam(), 2, 1000);
  ASSERT_GT(rights.factors.size(), 2U);
  ProductTest test(rights.features, GetParam());
  for (std::size_t r = 0; r < rights.factors.size(); ++r) test.project(r, rights.factors[r]);
  std::vector<std::vector<double>> products;
  for (const Factor& left : lefts.factors) {
    for (const Factor& right : rights.factors) {
      products.emplace_back(static_cast<std::size_t>(left.columns * right.columns));
      column_products(left.stored, right.stored, products.back().data());
    }
  }
  std::vector<ProductTest::Left> claims;
  for (std::size_t l = 0; l < lefts.factors.size(); ++l) {
    claims.push_back({lefts.features[l], &lefts.factors[l], {}});
    for (std::size_t r = 0; r < rights.factors.size(); ++r) {
      if ((l + r) % 3 != 0) claims.back().claims.push_back({r, products[l * rights.factors.size() + r]});
    }
  }
  for (const bool holds : test.holds(claims)) EXPECT_TRUE(holds);

  // One entry off by a billionth of the norms: only the feature it belongs to is doubted.
  const std::size_t liar = 1;
  const ProductTest::Claim& claim = claims[liar].claims[1];
  double& entry = products[liar * rights.factors.size() + claim.right].back();
  entry += 1e-9 * std::sqrt(lefts.factors[liar].norm * rights.factors[claim.right].norm);
  const std::vector<bool> holds = test.holds(claims);
  for (std::size_t l = 0; l < holds.size(); ++l) EXPECT_EQ(holds[l], l != liar);

  claims[0].claims[0].products = claims[0].claims[0].products.subspan(1);  // of another shape
  EXPECT_FALSE(test.holds(claims)[0]);
}

INSTANTIATE_TEST_SUITE_P(Samples, ProductTestOfSize, testing::Values(4, 37, 302, 5000));

TEST(KeptProducts, AreFoundInEitherOrder) {
  KeptProducts kept(1 << 20, 2);
  kept.keep(7, 3, std::vector<double>{1.0, 2.0}, 1);
  kept.keep(3, 9, std::vector<double>{5.0}, 1);
  kept.keep(4, 3, std::vector<double>{6.0, 7.0, 8.0}, 0);
  kept.index();
  ASSERT_NE(kept.find(3, 7), nullptr);
  EXPECT_EQ(kept.find(3, 7), kept.find(7, 3));
  EXPECT_EQ(kept.find(3, 7)->left, 7);
  EXPECT_EQ(kept.find(3, 8), nullptr);
  EXPECT_EQ(kept.find(3, 7)->products.back(), 2.0);
  EXPECT_EQ(kept.find(9, 3)->products.front(), 5.0);
  EXPECT_EQ(kept.find(3, 4)->products.size(), 3U);
}

TEST(KeptProducts, WhatDoesNotFitIsNotKept) {
  constexpr std::size_t kSize = 100;
  constexpr std::int64_t kMost = 50 * kSize * sizeof(double);
  KeptProducts kept(kMost, 2);
  for (FeatureId k = 1; k <= 100; ++k) kept.keep(0, k, std::vector<double>(kSize, static_cast<double>(k)), 0);
  kept.index();
  std::int64_t bytes = 0;
  for (FeatureId k = 1; k <= 100; ++k) {
    const KeptProducts::Pair* found = kept.find(k, 0);
    if (found == nullptr) continue;
    EXPECT_EQ(found->products.back(), static_cast<double>(k));
    bytes += static_cast<std::int64_t>(found->products.size_bytes());
  }
  EXPECT_LE(bytes, kMost);
  EXPECT_GT(bytes, kMost / 2);  // the rest is for what goes with them
}

}  // namespace
}  // namespace land
