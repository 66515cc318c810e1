// Kernels of several widths, and of ranks, against full matrices made from their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "land/kernels/factors/full_kernel.h"
#include "land/kernels/points/rank_scores.h"
#include "land/kernels/points/usual_norm.h"
#include "land/kernels/sketches/sketch.h"
#include "tests/support/kernels.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

const std::vector<std::vector<double>> kWidths = {{0.3, 1.0, 3.0}, {0.5, 0.7}, {1.0, 2.0, 4.0, 8.0}};

class WidthsOfSize : public testing::TestWithParam<int> {};

TEST_P(WidthsOfSize, FactorsAreThoseOfFullKernels) {
  const test::Columns columns = test::sample_columns(GetParam(), 3);
  for (const std::vector<double>& widths : kWidths) {
    KernelOptions options;
    options.sigma = widths;
    std::map<std::string, Factor> factors;
    std::map<std::string, Eigen::MatrixXd> kernels;
    for (const auto& [name, column] : columns) {
      factors[name] = test::make_factor(test::block_of(column).view(0), options);
      kernels[name] = test::mixed(column, Missing::kError, widths);
      EXPECT_LE(factors[name].residual, kFactorResidual) << name;
      EXPECT_NEAR(factors[name].norm / kernels[name].norm(), 1.0, kFactorResidual) << name;
      const FullKernel full = test::make_full_kernel(test::block_of(column).view(0), options);
      const Eigen::Map<const Eigen::MatrixXd> values(full.values.data(), GetParam(), GetParam());
      EXPECT_LT((values - kernels[name] / kernels[name].norm()).norm(), 1e-9) << name;
    }
    for (const auto& [a, left] : factors) {
      for (const auto& [b, right] : factors) {
        const double bound = 2.0 * (left.residual + right.residual) + 1e-9;
        EXPECT_NEAR(redundancy(left, right), test::nhsic(kernels[a], kernels[b]), bound) << a << " and " << b;
      }
      EXPECT_NEAR(redundancy(left, left), 1.0, 1e-12) << a;
    }
  }
}

// With room to spare that a scale from the scoring pass leaves: min over widths of usual norm over norm.
TEST_P(WidthsOfSize, SketchesAreLowerBounds) {
  const test::Columns columns = test::sample_columns(GetParam(), 5);
  for (const std::vector<double>& widths : kWidths) {
    KernelOptions options;
    options.sigma = widths;
    const SketchBasis basis(widths);
    std::vector<Factor> factors;
    std::vector<Sketch> sketches;
    for (const auto& [name, column] : columns) {
      const FeatureBlock block = test::block_of(column);
      factors.push_back(test::make_factor(block.view(0), options));
      double largest = 0.0;
      for (std::size_t w = 0; w < widths.size(); ++w) {
        largest = std::max(largest, factors.back().part_norms[w] / usual_norm(widths[w]));
      }
      const double norm = factors.back().norm * largest * (1.0 + 1e-6);
      sketches.push_back(gaussian_sketch(block.view(0), basis, 1.0 / norm, options));
    }
    double largest_bound = 0.0;
    for (std::size_t a = 0; a < factors.size(); ++a) {
      for (std::size_t b = 0; b < factors.size(); ++b) {
        for (const int used : {2, 4}) {
          const double bound = sketch_bound(sketches[a], sketches[b], used);
          EXPECT_LE(bound, redundancy(factors[a], factors[b])) << a << " and " << b;
          largest_bound = std::max(largest_bound, bound);
        }
      }
    }
    EXPECT_GT(largest_bound, 0.3) << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, WidthsOfSize, testing::Values(4, 7, 65, 302, 700));

TEST(Widths, MissingValuesCountAsTheirPolicySays) {
  test::Columns columns = test::sample_columns(120, 7);
  for (auto& [name, column] : columns) {
    for (std::size_t i = 0; i < column.size(); i += 7) column[i] = std::numeric_limits<double>::quiet_NaN();
  }
  KernelOptions options;
  options.sigma = kMixedWidths;
  for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
    options.missing = missing;
    for (const auto& [a, left] : columns) {
      const Factor factor = test::make_factor(test::block_of(left).view(0), options);
      const Eigen::MatrixXd kernel = test::mixed(left, missing, options.sigma);
      for (const auto& [b, right] : columns) {
        const Factor other = test::make_factor(test::block_of(right).view(0), options);
        EXPECT_NEAR(redundancy(factor, other), test::nhsic(kernel, test::mixed(right, missing, options.sigma)), 2e-6)
            << a << " and " << b;
      }
    }
  }
}

TEST(Ranks, ScoresAreNormalQuantilesOfAverageRanks) {
  for (const int n : {2, 5, 100, 700}) {
    for (auto& [name, column] : test::sample_columns(n, 9)) {
      for (const bool gaps : {false, true}) {
        std::vector<double> scores = column;
        if (gaps) scores[0] = std::numeric_limits<double>::quiet_NaN();
        const std::vector<double> expected = test::normal_scores(scores);
        rank_scores(scores);
        for (std::size_t i = 0; i < scores.size(); ++i) {
          if (std::isnan(expected[i])) {
            EXPECT_TRUE(std::isnan(scores[i]));
          } else {
            EXPECT_NEAR(scores[i], expected[i], 1e-12) << name << " " << i;
          }
        }
      }
    }
  }
}

// Codes, sparse codes and plain values; and any monotone map of them.
TEST(Ranks, MonotoneMapsChangeNothingToTheBit) {
  KernelOptions options;
  options.transform = Transform::kRank;
  const auto columns = test::sample_columns(302, 11);
  const Factor partner = test::make_factor(test::block_of(columns.at("normal")).view(0), options);
  for (const auto& [name, column] : columns) {
    std::vector<double> mapped;
    for (const double x : column) mapped.push_back(std::atan(x) + (x > 0.0 ? 3.0 : 0.0));
    std::set<double> before(column.begin(), column.end());
    std::set<double> after(mapped.begin(), mapped.end());
    if (before.size() != after.size()) continue;  // too large for atan to tell apart
    const Factor factor = test::make_factor(test::block_of(column).view(0), options);
    const Factor other = test::make_factor(test::block_of(mapped).view(0), options);
    EXPECT_EQ(redundancy(factor, partner), redundancy(other, partner)) << name;
    EXPECT_EQ(factor.norm, other.norm) << name;
    const Eigen::MatrixXd kernel = test::gaussian(test::normal_scores(column));
    EXPECT_NEAR(factor.norm / kernel.norm(), 1.0, 1e-6) << name;
  }
}

}  // namespace
}  // namespace land
