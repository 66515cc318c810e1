// Kernels without what covariates tell of them, against full matrices (I - QQ^T) K (I - QQ^T).
#include "land/kernels/adjustment/adjustment.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "cli/spelling.h"
#include "land/base/error.h"
#include "land/kernels/adjustment/orthonormal_basis.h"
#include "land/kernels/adjustment/projected.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/form_scorer.h"
#include "tests/support/covariates.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using testing::HasSubstr;

constexpr int kSamples = 211;
constexpr int kBatches = 4;

std::vector<int> batches() { return test::sample_labels(kSamples, kBatches, 5); }
std::vector<double> ages() { return test::sample_columns(kSamples, 9).at("normal"); }

Eigen::MatrixXd matrix_of(const DenseColumns& columns) {
  Eigen::MatrixXd matrix(columns.samples, columns.columns);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index a = 0; a < matrix.cols(); ++a) matrix(i, a) = columns.at(i, a);
  }
  return matrix;
}

// What each set of covariates spans: by the definition or, of numeric ones, whose columns are as good as their factor,
// as found.
struct Case {
  std::string name;
  std::vector<TargetColumn> covariates;
  Eigen::MatrixXd columns;
};

std::vector<Case> cases() {
  const Eigen::MatrixXd nominal = test::indicators(batches(), kBatches);
  const TargetColumn batch = test::nominal_covariate("batch", batches());
  const TargetColumn age = test::numeric_covariate("age", ages());
  const Eigen::MatrixXd numeric = matrix_of(*test::adjustment_of({age})->basis);
  Eigen::MatrixXd both(kSamples, nominal.cols() + numeric.cols());
  both << nominal, numeric;
  return {{"nominal", {batch}, nominal}, {"numeric", {age}, numeric}, {"both", {batch, age}, both}};
}

KernelOptions adjusted(const std::vector<TargetColumn>& covariates, KernelOptions options = {}) {
  options.adjustment = test::adjustment_of(covariates);
  return options;
}

Eigen::MatrixXd matrix_of(const FullKernel& kernel) {
  return Eigen::Map<const Eigen::MatrixXd>(kernel.values.data(), kernel.samples, kernel.samples);
}

Eigen::MatrixXd matrix_of(const Factor& factor) {
  const Eigen::MatrixXd columns = matrix_of(stored_by_sample(factor).stored);
  return columns * columns.transpose();
}

bool is_coded_column(const std::string& name) { return name == "binary" || name == "rare"; }

// The columns that no covariate here determines.
test::Columns features(std::uint64_t seed = 21) { return test::sample_columns(kSamples, seed); }

TEST(Adjustment, FactorsAreThoseOfProjectedMatrices) {
  for (const Case& one : cases()) {
    for (const Measure measure : {Measure::kNhsic, Measure::kHsic}) {
      KernelOptions options = adjusted(one.covariates);
      options.measure = measure;
      const Kernels kernels(options);
      for (const auto& [name, column] : features()) {
        SCOPED_TRACE(one.name + " " + name);
        const Eigen::MatrixXd truth = test::adjusted(test::gaussian(column), one.columns);
        const FeatureBlock block = test::block_of(column);
        const Factor factor = kernels.factor(block.view(0));
        const double scale = measure == Measure::kNhsic ? 1.0 / truth.norm() : 1.0 / kSamples;
        const double within = is_coded_column(name) ? 1e-9 : 1e-6;
        EXPECT_NEAR(factor.norm / truth.norm(), 1.0, within);
        EXPECT_NEAR(factor.scale / scale, 1.0, within);
        EXPECT_LE((matrix_of(factor) - truth).norm(), (factor.residual + 1e-9) * truth.norm());
        const FullKernel full = kernels.full(block.view(0));
        EXPECT_LE((matrix_of(full) - scale * truth).norm(), 1e-9 * scale * truth.norm());
      }
    }
  }
}

TEST(Adjustment, PairsAreThoseOfProjectedMatrices) {
  const test::Columns columns = features();
  const std::vector<int> labels = test::sample_labels(kSamples, 3, 77);
  for (const Case& one : cases()) {
    const Kernels kernels(adjusted(one.covariates));
    const Factor numbers = kernels.factor(test::numeric_target(columns.at("related")));
    const Factor classes = kernels.factor(test::class_target(labels, 3));
    const Eigen::MatrixXd true_numbers = test::adjusted(test::gaussian(columns.at("related")), one.columns);
    const Eigen::MatrixXd true_classes = test::adjusted(test::classes(labels), one.columns);
    for (const auto& [name, column] : columns) {
      SCOPED_TRACE(one.name + " " + name);
      const Eigen::MatrixXd truth = test::adjusted(test::gaussian(column), one.columns);
      const Factor factor = kernels.factor(test::block_of(column).view(0));
      EXPECT_NEAR(redundancy(factor, numbers), test::nhsic(truth, true_numbers), 1e-6);
      EXPECT_NEAR(redundancy(factor, classes), test::nhsic(truth, true_classes), 1e-6);
      EXPECT_NEAR(redundancy(factor, factor), 1.0, 1e-12);
    }
    // Coded features against classes: nothing is approximated but by rounding, numeric covariates themselves aside.
    if (one.name != "nominal") continue;
    for (const char* name : {"binary", "rare"}) {
      const Factor factor = kernels.factor(test::block_of(columns.at(name)).view(0));
      const Eigen::MatrixXd truth = test::adjusted(test::gaussian(columns.at(name)), one.columns);
      EXPECT_NEAR(redundancy(factor, classes), test::nhsic(truth, true_classes), 1e-12) << name;
    }
  }
}

TEST(Adjustment, ABatchCentresFactorsWithinIt) {
  const std::vector<int> batch = batches();
  const Kernels plain((KernelOptions()));
  const Kernels kernels(adjusted({test::nominal_covariate("batch", batch)}));
  for (const auto& [name, column] : features()) {
    const FeatureBlock block = test::block_of(column);
    Factor factor = stored_by_sample(plain.factor(block.view(0)));
    const double norm = factor.norm;
    for (int b = 0; b < kBatches; ++b) {
      for (std::int64_t a = 0; a < factor.columns; ++a) {
        double sum = 0.0;
        double count = 0.0;
        for (int i = 0; i < kSamples; ++i) {
          if (batch[static_cast<std::size_t>(i)] != b) continue;
          sum += factor.stored.at(i, a);
          count += 1.0;
        }
        for (int i = 0; i < kSamples; ++i) {
          if (batch[static_cast<std::size_t>(i)] == b) factor.stored.at(i, a) -= sum / count;
        }
      }
    }
    const Factor found = kernels.factor(block.view(0));
    // Principal axes that hold nothing are left out.
    EXPECT_LE((matrix_of(found) - matrix_of(factor)).norm(), 1e-7 * norm) << name;
    if (is_coded_column(name)) {
      EXPECT_LE((matrix_of(found) - matrix_of(factor)).norm(), 1e-12 * norm) << name;
    }
  }
}

TEST(Adjustment, TheSameCovariateTwiceChangesNothing) {
  const TargetColumn batch = test::nominal_covariate("batch", batches());
  const TargetColumn age = test::numeric_covariate("age", ages());
  std::vector<double> months = ages();
  for (double& x : months) x = 12.0 * x + 7.0;
  // Batches put together are told by the batches.
  std::vector<int> sites = batches();
  for (int& site : sites) site /= 2;
  const auto once = test::adjustment_of({batch, age});
  const auto twice = test::adjustment_of(
      {batch, age, test::numeric_covariate("months", months), test::nominal_covariate("site", sites), batch});
  EXPECT_EQ(once->columns(), kBatches + kColumnsOfNumeric);
  ASSERT_EQ(twice->columns(), once->columns());
  EXPECT_EQ(once->key(), test::adjustment_of({batch, age, batch, age})->key());
  const FeatureBlock block = test::block_of(features().at("normal"));
  const Eigen::MatrixXd left = matrix_of(Kernels(adjusted({batch, age})).factor(block.view(0)));
  KernelOptions options;
  options.adjustment = twice;
  EXPECT_LE((matrix_of(Kernels(options).factor(block.view(0))) - left).norm(), 1e-6 * left.norm());
}

TEST(Adjustment, NumbersStandForTheLeadingFunctionsOfTheirKernel) {
  const Eigen::MatrixXd found = matrix_of(*test::adjustment_of({test::numeric_covariate("age", ages())})->basis);
  const Eigen::MatrixXd leading = test::leading(test::gaussian(ages()), static_cast<int>(kColumnsOfNumeric));
  ASSERT_EQ(found.cols(), kColumnsOfNumeric + 1);
  const Eigen::MatrixXd outside = leading - found * (found.transpose() * leading);
  EXPECT_LE(outside.norm(), 1e-6);
}

TEST(Adjustment, BasisIsOrthonormal) {
  for (const Case& one : cases()) {
    const auto basis = test::adjustment_of(one.covariates)->basis;
    for (std::int64_t a = 0; a < basis->columns; ++a) {
      for (std::int64_t b = 0; b < basis->columns; ++b) {
        double product = 0.0;
        for (std::int64_t i = 0; i < basis->samples; ++i) product += basis->at(i, a) * basis->at(i, b);
        EXPECT_NEAR(product, a == b ? 1.0 : 0.0, 1e-14 * kSamples) << one.name;
      }
    }
    EXPECT_EQ(basis->at(0, 0), basis->at(kSamples - 1, 0));
  }
}

TEST(Adjustment, StrataAreTheCrossOfNominalCovariates) {
  const std::vector<int> batch = {0, 0, 1, 1, 0, 1};
  const std::vector<int> sex = {0, 1, 0, 0, 0, 1};
  std::vector<int> many_batch;
  std::vector<int> many_sex;
  for (int r = 0; r < 10; ++r) {
    many_batch.insert(many_batch.end(), batch.begin(), batch.end());
    many_sex.insert(many_sex.end(), sex.begin(), sex.end());
  }
  const auto found =
      test::adjustment_of({test::nominal_covariate("batch", many_batch), test::nominal_covariate("sex", many_sex)});
  ASSERT_TRUE(found->has_strata());
  EXPECT_THAT(std::vector(found->strata.begin(), found->strata.begin() + 6), testing::ElementsAre(0, 1, 2, 2, 0, 3));
  EXPECT_THAT(found->stratum_names, testing::ElementsAre("batch 'L0', sex 'L0'", "batch 'L0', sex 'L1'",
                                                         "batch 'L1', sex 'L0'", "batch 'L1', sex 'L1'"));
  EXPECT_EQ(found->columns(), 3);
  EXPECT_FALSE(
      test::adjustment_of({test::nominal_covariate("batch", batches()), test::numeric_covariate("age", ages())})
          ->has_strata());
}

// Ignored samples stay zero: what covariates tell is taken out over the others.
TEST(Adjustment, IgnoredSamplesStayIgnored) {
  std::mt19937_64 random(3);
  for (const Case& one : cases()) {
    for (const Missing missing : {Missing::kIgnore, Missing::kLevel, Missing::kMean}) {
      KernelOptions options = adjusted(one.covariates);
      options.missing = missing;
      const Kernels kernels(options);
      for (const char* name : {"normal", "rounded"}) {
        SCOPED_TRACE(one.name + " " + name);
        std::vector<double> column = features().at(name);
        for (double& x : column) x = random() % 9 == 0 ? std::nan("") : x;
        const Eigen::MatrixXd truth = test::adjusted(test::gaussian(column, missing), one.columns);
        const FeatureBlock block = test::block_of(column);
        const Factor factor = kernels.factor(block.view(0));
        EXPECT_LE((matrix_of(factor) - truth).norm(), (factor.residual + 1e-9) * truth.norm());
        EXPECT_LE((matrix_of(kernels.full(block.view(0))) - truth / truth.norm()).norm(), 1e-9);
        for (std::size_t i = 0; i < column.size(); ++i) {
          if (missing == Missing::kIgnore && std::isnan(column[i])) {
            EXPECT_EQ(factor.stored.at(static_cast<std::int64_t>(i), 0), 0.0);
          }
        }
      }
    }
  }
}

TEST(Adjustment, OtherKernelsAreProjectedAlike) {
  const Case one = cases()[2];
  const std::vector<double> column = features().at("student");
  const FeatureBlock block = test::block_of(column);
  const auto check = [&](KernelOptions options) {
    const FullKernel plain = Kernels(options).full(block.view(0));
    const Eigen::MatrixXd truth = test::adjusted(matrix_of(plain), one.columns);
    const Kernels kernels(adjusted(one.covariates, options));
    EXPECT_TRUE(kernels.have_factors());
    EXPECT_FALSE(kernels.have_sketches());
    EXPECT_FALSE(kernels.have_bounds());
    const Factor factor = kernels.factor(block.view(0));
    EXPECT_LE((factor.scale * matrix_of(factor) - truth / truth.norm()).norm(), factor.residual + 1e-7);
    EXPECT_LE((matrix_of(kernels.full(block.view(0))) - truth / truth.norm()).norm(), 1e-9);
  };
  KernelOptions options;
  options.sigma = kMixedWidths;
  check(options);
  options = {};
  options.family = KernelFamily::kLinear;
  check(options);
  options.family = KernelFamily::kLaplace;
  options.factor = FactorKind::kFull;
  check(options);
  options.family = KernelFamily::kDistance;
  check(options);
  options = {};
  options.transform = Transform::kRank;
  check(options);
}

TEST(Adjustment, SortedKernelsNeedTheirMatrices) {
  SelectOptions options;
  options.kernel = adjusted({test::nominal_covariate("batch", batches())});
  options.kernel.family = KernelFamily::kLaplace;
  try {
    validate(options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(cli::spelled(error.what()), HasSubstr("--adjust: --kernel laplace has no factors"));
  }
  options.kernel.factor = FactorKind::kFull;
  validate(options);
}

// Encodings decide what a feature costs, never what comes out.
TEST(Adjustment, EveryEncodingGivesTheSame) {
  const Kernels kernels(adjusted(cases()[2].covariates));
  const std::vector<double> column = features().at("rare");
  const Eigen::MatrixXd first = matrix_of(kernels.factor(test::block_of(column, Encoding::kFloat64).view(0)));
  for (const Encoding encoding :
       {Encoding::kFloat32, Encoding::kCodes, Encoding::kSparseCodes, Encoding::kSparseValues, Encoding::kPacked2}) {
    const FeatureBlock block = test::block_of(column, encoding);
    EXPECT_LE((matrix_of(kernels.factor(block.view(0))) - first).norm(), 1e-9 * first.norm());
  }
}

TEST(Adjustment, StreamedFactorsAreProjectedAsStoredOnes) {
  const int n = static_cast<int>(kLeastStreamed) + 77;
  const std::vector<int> batch = test::sample_labels(n, 3, 5);
  const Kernels kernels(adjusted({test::nominal_covariate("batch", batch)}));
  const std::vector<double> column = test::sample_columns(n, 4).at("normal");
  const Factor streamed = kernels.factor(test::block_of(column).view(0));
  ASSERT_TRUE(streamed.streamed);
  const Factor stored = stored_by_sample(streamed);
  for (const std::int64_t a : {std::int64_t{0}, stored.columns - 1}) {
    std::vector<double> sums(3, 0.0);
    for (int i = 0; i < n; ++i)
      sums[static_cast<std::size_t>(batch[static_cast<std::size_t>(i)])] += stored.stored.at(i, a);
    for (const double sum : sums) EXPECT_NEAR(sum, 0.0, 1e-8);
  }
  EXPECT_NEAR(redundancy(streamed, stored), 1.0, 1e-9);
}

TEST(Adjustment, WhatCovariatesTellIsExplained) {
  const std::vector<int> batch = batches();
  const KernelOptions options = adjusted({test::nominal_covariate("batch", batch)});
  const Kernels kernels(options);
  std::vector<double> told;
  for (const int b : batch) told.push_back(3.0 * b * b - b);
  const FeatureBlock block = test::block_of(told);
  const Factor factor = kernels.factor(block.view(0));
  EXPECT_EQ(factor.norm, 0.0);
  EXPECT_EQ(factor.scale, 0.0);
  EXPECT_TRUE(matrix_of(kernels.full(block.view(0))).isZero(0.0));
  const KernelForm target = kernels.form(test::numeric_target(features().at("normal")));
  EXPECT_EQ(FormScorer(target, options).score_exactly(block.view(0)).relevance, kExplained);
  // A little more than the batch.
  for (std::size_t i = 0; i < 20; ++i) told[i] += 4.0;
  const FeatureBlock more = test::block_of(told);
  EXPECT_GT(kernels.factor(more.view(0)).norm, 0.0);
  EXPECT_GE(FormScorer(target, options).score_exactly(more.view(0)).relevance, 0.0);
}

TEST(Adjustment, WithoutASampleItIsThatOfTheOthers) {
  const std::vector<int> batch = batches();
  std::vector<bool> kept(kSamples, true);
  kept[10] = false;
  std::vector<int> rest = batch;
  rest.erase(rest.begin() + 10);
  const Adjustment found = without_samples(*test::adjustment_of({test::nominal_covariate("batch", batch)}), kept);
  const auto expected = test::adjustment_of({test::nominal_covariate("batch", rest)});
  ASSERT_EQ(found.columns(), expected->columns());
  EXPECT_EQ(found.strata, expected->strata);
  for (std::int64_t i = 0; i < found.samples(); i += 17) {
    for (std::int64_t j = 0; j < found.samples(); j += 13) {
      double a = 0.0;
      double b = 0.0;
      for (std::int64_t q = 0; q < found.columns(); ++q) {
        a += found.basis->at(i, q) * found.basis->at(j, q);
        b += expected->basis->at(i, q) * expected->basis->at(j, q);
      }
      EXPECT_NEAR(a, b, 1e-13);
    }
  }
}

std::string refusal(const std::vector<TargetColumn>& covariates) {
  try {
    test::adjustment_of(covariates);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

TEST(Adjustment, WhatCannotBeUsedIsRefused) {
  EXPECT_EQ(test::adjustment_of({}), nullptr);
  EXPECT_THAT(refusal({test::numeric_covariate("age", std::vector<double>(50, 3.0))}),
              HasSubstr("covariate 'age' is constant: all 50 samples have '3'"));
  EXPECT_THAT(refusal({test::nominal_covariate("site", std::vector<int>(50, 1))}),
              HasSubstr("covariate 'site' is constant: all 50 samples have 'L1'"));
  EXPECT_THAT(refusal({test::nominal_covariate("id", test::sample_labels(60, 7, 1))}),
              HasSubstr("--adjust: the levels of 'id' take 7 columns, for which 70 samples are needed (10 each), and "
                        "there are 60"));
  std::vector<double> few = ages();
  few.resize(120);
  EXPECT_THAT(
      refusal({test::nominal_covariate("batch", test::sample_labels(120, 8, 1)), test::numeric_covariate("age", few)}),
      HasSubstr("--adjust: the covariates take 14 columns, for which 140 samples are needed (10 each), and "
                "there are 120"));
}

}  // namespace
}  // namespace land
