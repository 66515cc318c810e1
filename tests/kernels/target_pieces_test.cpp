// A numeric target by pieces: its polynomials are its columns, to the error that is told.
#include "land/kernels/scoring/target_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "land/kernels/factors/factor.h"
#include "tests/support/kernels.h"
#include "tests/support/samples.h"

namespace land {
namespace {

// Adds up what columns and polynomials differ by, and what the polynomials hold, sample by sample.
void check(const TargetPieces& pieces, const DenseColumns& columns, std::size_t count) {
  std::vector<std::int32_t> rows = pieces.rows;
  std::sort(rows.begin(), rows.end());
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], static_cast<std::int32_t>(i));
  std::vector<double> size(count), error(count);
  std::size_t next = 0;
  for (const TargetPiece& piece : pieces.pieces) {
    ASSERT_EQ(piece.first, next);
    next += piece.count;
    std::vector<double> totals(pieces.width);
    for (std::size_t place = piece.first; place < next; ++place) {
      const float* weights = pieces.weights.data() + place * pieces.width;
      EXPECT_EQ(weights[0], 1.0F);
      std::vector<double> values(count);
      for (std::size_t q = 0; q < pieces.width; ++q) {
        const auto weight = static_cast<double>(weights[q]);
        EXPECT_LE(std::abs(weight), 1.0);
        totals[q] += weight;
        for (std::size_t j = 0; j < count; ++j) {
          values[j] += piece.shares[q * count + j] * weight;
          size[j] += std::abs(piece.shares[q * count + j] * weight);
        }
      }
      for (std::size_t j = 0; j < count; ++j) {
        error[j] += std::abs(columns.at(pieces.rows[place], static_cast<std::int64_t>(j)) - values[j]);
      }
    }
    for (std::size_t q = 0; q < pieces.width; ++q) {
      EXPECT_NEAR(totals[q], piece.totals[q], 1e-12 * static_cast<double>(piece.count));
    }
  }
  EXPECT_EQ(next, pieces.rows.size());
  const auto length = [](const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  };
  EXPECT_NEAR(pieces.size, length(size), 1e-10 * length(size));
  EXPECT_NEAR(pieces.error, length(error), 1e-12 * length(size));
}

TEST(TargetPieces, AreTheColumnsWithinTheirError) {
  for (const int n : {4, 5, 30, 302, 3000}) {
    for (const auto& [name, values] : test::sample_columns(n, 53)) {
      SCOPED_TRACE(name + ", " + std::to_string(n) + " samples");
      if (std::ranges::min(values) == std::ranges::max(values)) continue;
      for (const double sigma : {1.0, 0.3}) {
        KernelOptions options;
        options.sigma = {sigma};
        const Factor factor = test::make_factor(test::numeric_target(values), options);
        for (const double precision : {1e-3, 1e-6}) {
          const TargetPieces pieces = cut_target(values, factor.stored, factor.columns, sigma, precision);
          check(pieces, factor.stored, static_cast<std::size_t>(factor.columns));
          EXPECT_LE(pieces.error, precision * pieces.size);
        }
      }
    }
  }
}

TEST(TargetPieces, AreFewForManySamples) {
  const auto values = test::sample_columns(20000, 57).at("normal");
  const KernelOptions options;
  const Factor factor = test::make_factor(test::numeric_target(values), options);
  const TargetPieces pieces = cut_target(values, factor.stored, factor.columns, options.sigma.front(), 1e-6);
  EXPECT_EQ(pieces.width, 4U);
  EXPECT_LT(pieces.pieces.size(), 100U);
  EXPECT_LT(pieces.size, 1.1 * cut_target(values, factor.stored, factor.columns, options.sigma.front(), 1e-3).size);
}

// As of a feature in the place of a target: categories, and rows of zeros where there is no value.
TEST(TargetPieces, HoldColumnsThatAreNotSmooth) {
  std::mt19937_64 random(59);
  std::vector<double> values(500);
  DenseColumns columns(500, 3);
  std::fill(columns.values.begin(), columns.values.end(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto level = random() % 200;
    const bool missing = level == 7;
    values[i] = missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(level);
    for (std::int64_t j = 0; j < 3 && !missing; ++j) {
      columns.at(static_cast<std::int64_t>(i), j) = std::sin(static_cast<double>((j + 1) * 100) * values[i]);
    }
  }
  const TargetPieces pieces = cut_target(values, columns, 3, 1.0, 1e-6);
  check(pieces, columns, 3);
  EXPECT_LE(pieces.error, 1e-6 * pieces.size);
}

TEST(TargetPieces, HoldColumnsThatAreFunctionsOfNothing) {
  std::mt19937_64 random(61);
  std::normal_distribution<double> normal;
  for (const std::int64_t count : {1, 3, 4, 9}) {
    DenseColumns columns(333, count);
    std::fill(columns.values.begin(), columns.values.end(), 0.0);
    for (std::int64_t i = 0; i < columns.samples; ++i) {
      for (std::int64_t j = 0; j < count; ++j) columns.at(i, j) = 1e-3 * normal(random);
    }
    const TargetPieces pieces = uncut_target(columns, count);
    check(pieces, columns, static_cast<std::size_t>(count));
    EXPECT_EQ(pieces.pieces.size(), 1U);
    EXPECT_LE(pieces.error, 1e-6 * pieces.size);
  }
}

}  // namespace
}  // namespace land
