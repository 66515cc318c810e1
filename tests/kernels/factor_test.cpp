// Factors and pairs against full kernel matrices, and the properties every NHSIC must have.
#include "land/kernels/factors/factor.h"

#include <gtest/gtest.h>

#include <numeric>

#include "land/base/simd_target.h"
#include "land/kernels/factors/full_kernel.h"
#include "tests/support/kernels.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

class FactorOfSize : public testing::TestWithParam<int> {};

TEST_P(FactorOfSize, PairsMatchFullKernelsWithinTheirOwnBound) {
  const test::Columns columns = test::sample_columns(GetParam(), 1);
  const KernelOptions options;
  std::map<std::string, Factor> factors;
  std::map<std::string, Eigen::MatrixXd> kernels;
  for (const auto& [name, column] : columns) {
    factors[name] = test::make_factor(test::block_of(column).view(0), options);
    kernels[name] = test::gaussian(column);
    EXPECT_LE(factors[name].residual, kFactorResidual) << name;
    EXPECT_NEAR(factors[name].norm / kernels[name].norm(), 1.0, kFactorResidual) << name;
  }
  for (const auto& [a, factor_a] : factors) {
    for (const auto& [b, factor_b] : factors) {
      const double r = redundancy(factor_a, factor_b);
      const double bound = 2.0 * (factor_a.residual + factor_b.residual) + 1e-9;
      EXPECT_NEAR(r, test::nhsic(kernels[a], kernels[b]), bound) << a << " and " << b;
      if (factor_a.coded() && factor_b.coded()) {
        EXPECT_NEAR(r, redundancy(factor_b, factor_a), 1e-14);  // whoever needs the same bits orders the pair by id
      } else {
        EXPECT_EQ(r, redundancy(factor_b, factor_a)) << a << " and " << b;
      }
      EXPECT_GE(r, 0.0);
      EXPECT_LE(r, 1.0 + 1e-12);
    }
    EXPECT_NEAR(redundancy(factor_a, factor_a), 1.0, 1e-12) << a;
  }
}

// What is made for f alone is not turned to its axes, but is a factor like any other.
TEST_P(FactorOfSize, MadeForTheRelevanceGivesTheSame) {
  const test::Columns columns = test::sample_columns(GetParam(), 4);
  const Eigen::MatrixXd target_kernel = test::gaussian(columns.at("related"));
  for (const auto& [name, column] : columns) {
    for (const Measure measure : {Measure::kNhsic, Measure::kHsic}) {
      KernelOptions options;
      options.measure = measure;
      const Factor target = test::make_factor(test::block_of(columns.at("related")).view(0), options);
      const FeatureBlock block = test::block_of(column);
      const Factor factor = test::make_factor(block.view(0), options, FactorUse::kRelevance);
      const Factor turned = test::make_factor(block.view(0), options);
      EXPECT_LE(factor.residual, kFactorResidual) << name;
      EXPECT_GE(factor.columns, turned.columns) << name;
      const double size = factor.scale * factor.norm * target.scale * target.norm;  // what f is at most, about
      const double f = redundancy(factor, target);
      EXPECT_NEAR(f, redundancy(turned, target), 2.5 * kFactorResidual * size) << name;
      const Eigen::MatrixXd kernel = test::gaussian(column);
      const double truth =
          measure == Measure::kNhsic ? test::nhsic(kernel, target_kernel) : test::hsic(kernel, target_kernel);
      EXPECT_NEAR(f, truth, 2.5 * (factor.residual + target.residual) * size + 1e-9) << name;
    }
  }
}

TEST_P(FactorOfSize, HsicMatchesItsDefinition) {
  const test::Columns columns = test::sample_columns(GetParam(), 2);
  KernelOptions options;
  options.measure = Measure::kHsic;
  options.sigma = {0.7};
  for (const char* a : {"normal", "rounded", "cauchy"}) {
    for (const char* b : {"related", "binary", "student"}) {
      const Factor left = test::make_factor(test::block_of(columns.at(a)).view(0), options);
      const Factor right = test::make_factor(test::block_of(columns.at(b)).view(0), options);
      EXPECT_NEAR(redundancy(left, right),
                  test::hsic(test::gaussian(columns.at(a), 0.7), test::gaussian(columns.at(b), 0.7)), 1e-7)
          << a << " and " << b;
    }
  }
}

TEST_P(FactorOfSize, TargetsMatchFullKernels) {
  const int n = GetParam();
  const test::Columns columns = test::sample_columns(n, 3);
  const int classes = std::min(3, n / 2);
  const std::vector<int> labels = test::sample_labels(n, classes, 5);
  const KernelOptions options;
  const Factor by_class = test::make_factor(test::class_target(labels, classes), options);
  const Factor by_number = test::make_factor(test::numeric_target(columns.at("student")), options);
  for (const auto& [name, column] : columns) {
    const Factor factor = test::make_factor(test::block_of(column).view(0), options);
    EXPECT_NEAR(redundancy(factor, by_class), test::nhsic(test::gaussian(column), test::classes(labels)), 1e-6) << name;
    EXPECT_NEAR(redundancy(factor, by_number),
                test::nhsic(test::gaussian(column), test::gaussian(columns.at("student"))), 1e-6)
        << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FactorOfSize, testing::Values(4, 5, 33, 300, 700));

TEST(Factor, EveryEncodingGivesTheSamePairs) {
  const test::Columns columns = test::sample_columns(400, 7);
  const KernelOptions options;
  const std::vector<double> other = columns.at("related");
  const Factor dense = test::make_factor(test::block_of(other, Encoding::kFloat64).view(0), options);
  const Factor coded = test::make_factor(test::block_of(columns.at("rounded"), Encoding::kCodes).view(0), options);
  for (const char* name : {"binary", "rare", "rounded"}) {
    const Factor by_level = test::make_factor(test::block_of(columns.at(name), Encoding::kCodes).view(0), options);
    ASSERT_TRUE(by_level.coded());
    for (const Encoding encoding : {Encoding::kFloat32, Encoding::kFloat64}) {
      const Factor by_sample = test::make_factor(test::block_of(columns.at(name), encoding).view(0), options);
      ASSERT_FALSE(by_sample.coded());
      EXPECT_NEAR(redundancy(by_level, dense), redundancy(by_sample, dense), 1e-12) << name;
      EXPECT_NEAR(redundancy(by_level, coded), redundancy(by_sample, coded), 1e-12) << name;
      EXPECT_NEAR(redundancy(by_level, by_sample), 1.0, 1e-12) << name;
    }
  }
}

TEST(Factor, ShiftScaleAndSignChangeNothing) {
  const test::Columns columns = test::sample_columns(800, 11);
  const KernelOptions options;
  const Factor other = test::make_factor(test::block_of(columns.at("normal")).view(0), options);
  for (const char* name : {"related", "squared", "student", "rounded", "binary", "lognormal"}) {
    const double r = redundancy(test::make_factor(test::block_of(columns.at(name)).view(0), options), other);
    for (const auto& [scale, shift] : {std::pair{-1.0, 0.0}, {4.0, 0.0}, {3.0, -17.0}, {-1e-3, 2.0}}) {
      std::vector<double> moved = columns.at(name);
      for (double& x : moved) x = scale * x + shift;
      EXPECT_NEAR(redundancy(test::make_factor(test::block_of(moved).view(0), options), other), r, 1e-11)
          << name << " times " << scale << " plus " << shift;
    }
  }
}

TEST(Factor, PermutingSamplesChangesNoMoreThanTheBound) {
  const test::Columns columns = test::sample_columns(900, 13);
  const KernelOptions options;
  std::vector<std::size_t> order(900);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  const auto permuted = [&](const std::vector<double>& column) {
    std::vector<double> result;
    for (const std::size_t i : order) result.push_back(column[i]);
    return result;
  };
  for (const auto& [name, column] : columns) {
    const auto pair = [&](const std::vector<double>& a, const std::vector<double>& b) {
      return redundancy(test::make_factor(test::block_of(a).view(0), options),
                        test::make_factor(test::block_of(b).view(0), options));
    };
    EXPECT_NEAR(pair(column, columns.at("normal")), pair(permuted(column), permuted(columns.at("normal"))),
                4.0 * kFactorResidual)
        << name;
  }
}

TEST(Factor, ValuesOfAnyMagnitude) {
  const test::Columns columns = test::sample_columns(200, 17);
  const KernelOptions options;
  const double r = redundancy(test::make_factor(test::block_of(columns.at("normal")).view(0), options),
                              test::make_factor(test::block_of(columns.at("related")).view(0), options));
  for (const double scale : {1e-300, 1e-30, 1e30, 1e300}) {
    std::vector<double> scaled = columns.at("normal");
    for (double& x : scaled) x *= scale;
    const Factor factor = test::make_factor(test::block_of(scaled).view(0), options);
    EXPECT_NEAR(redundancy(factor, test::make_factor(test::block_of(columns.at("related")).view(0), options)), r, 1e-11)
        << scale;
  }
}

TEST(Factor, NystromMatchesThePaper) {
  const test::Columns columns = test::sample_columns(150, 19);
  KernelOptions options;
  options.factor = FactorKind::kNystrom;
  for (const int bases : {5, 10, 20}) {
    options.basis = even_basis(bases);
    for (const auto& [name, column] : columns) {
      if (name == "outlier" || name == "rare") continue;  // far from every basis point: nothing is left to compare
      const Factor left = test::make_factor(test::block_of(column).view(0), options);
      const Factor right = test::make_factor(test::block_of(columns.at("related")).view(0), options);
      const double expected =
          test::nhsic(test::nystrom(column, options.basis), test::nystrom(columns.at("related"), options.basis));
      EXPECT_NEAR(redundancy(left, right), expected, 1e-7) << name << ", " << bases << " bases";
    }
  }
}

TEST(FullKernel, IsTheOracle) {
  const test::Columns columns = test::sample_columns(60, 23);
  KernelOptions options;
  options.factor = FactorKind::kFull;
  for (const auto& [name, column] : columns) {
    const FullKernel left = test::make_full_kernel(test::block_of(column).view(0), options);
    const FullKernel right = test::make_full_kernel(test::block_of(columns.at("normal")).view(0), options);
    EXPECT_NEAR(inner_product(left, right), test::nhsic(test::gaussian(column), test::gaussian(columns.at("normal"))),
                1e-10)
        << name;
  }
}

TEST(Factor, InstructionSetsAgree) {
  const test::Columns columns = test::sample_columns(1000, 29);
  const KernelOptions options;
  std::map<std::string, double> first;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const auto& [name, column] : columns) {
      const double r = redundancy(test::make_factor(test::block_of(column).view(0), options),
                                  test::make_factor(test::block_of(columns.at("related")).view(0), options));
      const auto [place, fresh] = first.emplace(name, r);
      EXPECT_NEAR(r, place->second, 1e-12) << name << " on " << target;
    }
  }
  use_simd_target("");
}

}  // namespace
}  // namespace land
