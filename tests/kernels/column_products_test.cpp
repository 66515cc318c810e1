// Products of columns against plain sums, for every shape of tile and on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "land/base/simd_target.h"
#include "land/kernels/factors/column_products.h"

namespace land {
namespace {

DenseColumns random_columns(std::int64_t samples, std::int64_t columns, std::mt19937_64& random) {
  DenseColumns made(samples, columns);
  std::fill(made.values.begin(), made.values.end(), 0.0);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < samples; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) made.at(i, c) = normal(random);
  }
  return made;
}

class OnEveryTarget : public testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }

  template <class Check>
  static void each_target(const Check& check) {
    for (const std::string& target : simd_targets()) {
      SCOPED_TRACE(target);
      use_simd_target(target);
      check();
    }
  }
};

using ColumnProducts = OnEveryTarget;

TEST_F(ColumnProducts, AreThePlainSums) {
  each_target([] {
    std::mt19937_64 random(3);
    for (const std::int64_t samples : {1, 15, 17, 128, 129, 257, 302, 384, 600, 700}) {
      std::vector<DenseColumns> all;
      for (std::int64_t columns = 1; columns <= 13; ++columns) all.push_back(random_columns(samples, columns, random));
      all.push_back(random_columns(samples, 20, random));
      for (const DenseColumns& one : all) {
        for (const DenseColumns& two : all) {
          std::vector<double> products(static_cast<std::size_t>(one.columns * two.columns));
          std::vector<double> turned(products.size());
          column_products(one, two, products.data());
          column_products(two, one, turned.data());
          for (std::int64_t a = 0; a < one.columns; ++a) {
            for (std::int64_t b = 0; b < two.columns; ++b) {
              double sum = 0.0;
              double size = 0.0;
              for (std::int64_t i = 0; i < samples; ++i) {
                sum += one.at(i, a) * two.at(i, b);
                size += std::abs(one.at(i, a) * two.at(i, b));
              }
              const double product = products[static_cast<std::size_t>(a * two.columns + b)];
              // Either sum has at most one rounding a sample and one a product.
              const double rounding = (static_cast<double>(samples) + 1.0) * std::numeric_limits<double>::epsilon();
              ASSERT_NEAR(product, sum, rounding * size);
              ASSERT_EQ(product, turned[static_cast<std::size_t>(b * one.columns + a)]);
            }
          }
        }
      }
    }
  });
}

TEST_F(ColumnProducts, DoNotDependOnWhatIsMultipliedAlong) {
  each_target([] {
    std::mt19937_64 random(5);
    for (const std::int64_t samples : {100, 600}) {
      std::vector<DenseColumns> all;
      for (const std::int64_t columns : {1, 3, 5, 8, 12, 14, 15, 16, 17}) {
        all.push_back(random_columns(samples, columns, random));
      }
      std::vector<const Columns*> lefts{&all[2], &all[4], &all[7], &all[1]};
      std::vector<const Columns*> rights;
      for (const DenseColumns& one : all) rights.push_back(&one);
      std::vector<std::uint8_t> wanted(lefts.size() * rights.size());
      for (std::uint8_t& one : wanted) one = random() % 3 != 0 ? 1 : 0;
      std::vector<std::uint8_t> found(wanted.size(), 0);
      pair_products(lefts, rights, wanted, [&](std::size_t pair, std::span<const double> products) {
        found[pair] = 1;
        std::vector<double> alone(products.size());
        column_products(*lefts[pair / rights.size()], *rights[pair % rights.size()], alone.data());
        EXPECT_TRUE(std::equal(products.begin(), products.end(), alone.begin(), alone.end()));
      });
      EXPECT_EQ(found, wanted);
    }
  });
}

}  // namespace
}  // namespace land
