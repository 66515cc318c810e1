// Selections beside covariates: what follows a batch alone is not selected.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>

#include "cli/spelling.h"
#include "land/base/error.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/commands/score.h"
#include "land/commands/select.h"
#include "land/formats/take_covariates.h"
#include "land/subset/apply_subset.h"
#include "tests/support/commands.h"
#include "tests/support/covariates.h"
#include "tests/support/memory_columns.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr int kSamples = 240;
constexpr int kFeatures = 40;
constexpr int kFollowers = 8;  // features that follow the batch, with noise
constexpr std::array kTrue = {20, 30};
constexpr int kTold = 12;  // the batch itself, numbered otherwise

struct Planted {
  std::vector<int> batch = test::sample_labels(kSamples, 3, 1);
  std::vector<std::vector<double>> columns;
  Target target;
};

// y follows the batch most, and two features besides.
Planted planted(std::uint64_t seed = 7) {
  Planted made;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  made.columns.assign(kFeatures, std::vector<double>(kSamples));
  const std::array shift = {-2.0, 0.5, 2.0};
  std::vector<double> y;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double effect = shift[static_cast<std::size_t>(made.batch[i])];
    for (std::size_t k = 0; k < kFeatures; ++k) {
      made.columns[k][i] = normal(random) * (k < kFollowers ? 0.5 : 1.0) + (k < kFollowers ? effect : 0.0);
    }
    made.columns[kTold][i] = effect * effect;
    y.push_back(1.5 * effect + made.columns[kTrue[0]][i] + made.columns[kTrue[1]][i] * made.columns[kTrue[1]][i] +
                0.3 * normal(random));
  }
  made.target = test::numeric_target(y);
  return made;
}

SelectOptions options_for(const Planted& data, std::int64_t m) {
  SelectOptions options;
  options.features = m;
  options.kernel.adjustment = test::adjustment_of({test::nominal_covariate("batch", data.batch)});
  return options;
}

std::vector<std::int64_t> indices(const Result& result) {
  std::vector<std::int64_t> list;
  for (const SelectedFeature& feature : result.selected) list.push_back(feature.index);
  return list;
}

TEST(Adjust, FeaturesOfABatchAreSelectedOnlyWithout) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  SelectOptions options = options_for(data, 2);
  const Result with = test::both::select(table, data.target, options, {});
  EXPECT_THAT(indices(with), UnorderedElementsAre(kTrue[0], kTrue[1]));
  ASSERT_TRUE(with.certificate);
  EXPECT_TRUE(with.certificate->valid);
  options.kernel.adjustment = nullptr;
  const Result without = test::both::select(table, data.target, options, {});
  EXPECT_LT(indices(without)[0], kTold + 1);
  EXPECT_FALSE(without.adjustment);
}

TEST(Adjust, RelevancesAreThoseOfProjectedMatrices) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  const Eigen::MatrixXd batch = test::indicators(data.batch, 3);
  const Eigen::MatrixXd y = test::adjusted(test::gaussian(data.target.values), batch);
  const Result result = test::both::select(table, data.target, options_for(data, 6), {});
  for (std::size_t a = 0; a < result.selected.size(); ++a) {
    const auto kernel_of = [&](std::size_t t) {
      return test::adjusted(test::gaussian(data.columns[static_cast<std::size_t>(result.selected[t].index)]), batch);
    };
    EXPECT_NEAR(result.selected[a].relevance, test::nhsic(kernel_of(a), y), 1e-6);
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NEAR(result.redundancy[a][b], test::nhsic(kernel_of(a), kernel_of(b)), 1e-6);
    }
  }
}

TEST(Adjust, WhatIsExplainedIsLeftOutCountedAndListed) {
  Planted data = planted();
  data.columns[17].assign(kSamples, 4.0);
  Table table = test::table_of_columns(data.columns);
  table.default_missing = Missing::kError;
  SelectOptions options = options_for(data, kFeatures);  // all that can be
  options.neighbors = 3;
  const Result result = test::both::select(table, data.target, options, {});
  EXPECT_THAT(indices(result), testing::Not(Contains(kTold)));
  ASSERT_TRUE(result.adjustment);
  ASSERT_EQ(result.adjustment->explained.size(), 1U);
  EXPECT_EQ(result.adjustment->explained[0].index, kTold);
  EXPECT_EQ(result.adjustment->explained[0].name, "f12");
  EXPECT_EQ(result.data.constant_features, 1);
  EXPECT_TRUE(result.certificate->valid);
  EXPECT_EQ(result.adjustment->columns, 3);
  EXPECT_EQ(result.adjustment->strata, 3);
  EXPECT_GT(result.adjustment->target_left, 0.1);
  EXPECT_LT(result.adjustment->target_left, 0.9);
  EXPECT_EQ(cli::spelled(result.warnings[0]),
            "--adjust: 1 feature is explained by the covariates and was left out: 'f12'");
  for (const SelectedFeature& feature : result.selected) {
    for (const SelectedFeature::Neighbor& neighbor : feature.neighbors) EXPECT_NE(neighbor.index, kTold);
  }
  const std::string json = to_json(result);
  EXPECT_THAT(json, HasSubstr(R"("explained":[{"index":12,"name":"f12"}])"));
  EXPECT_THAT(json, HasSubstr(R"("covariates":[{"name":"batch","kind":"nominal","levels":3}])"));
}

TEST(Adjust, ThreadsAndBlocksDoNotMatter) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  SelectOptions options = options_for(data, 10);
  options.kernel.adjustment = test::adjustment_of(
      {test::nominal_covariate("batch", data.batch), test::numeric_covariate("age", data.columns[39])});
  const auto text = [&](int threads, std::int64_t block_size) {
    options.block_size = block_size;
    Result result = test::local::select(table, data.target, options, test::threads(threads));
    result.options.block_size = 0;
    return test::json_without_times(result);
  };
  const std::string one = text(1, 0);
  EXPECT_EQ(text(3, 0), one);
  EXPECT_EQ(text(2, 16), one);
}

TEST(Adjust, EveryPathFindsTheSame) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  SelectOptions options = options_for(data, 6);
  const std::vector<std::int64_t> lazy = indices(test::both::select(table, data.target, options, {}));
  options.plain_path = true;
  EXPECT_EQ(indices(test::both::select(table, data.target, options, {})), lazy);
  options.plain_path = false;
  options.kernel.factor = FactorKind::kFull;
  const Result exact = test::both::select(table, data.target, options, {});
  EXPECT_EQ(indices(exact), lazy);
  EXPECT_TRUE(exact.certificate->valid);
  options.kernel.family = KernelFamily::kDistance;
  const Result distance = test::local::select(table, data.target, options, {});
  EXPECT_TRUE(distance.certificate->valid);
  std::vector<std::int64_t> first = indices(distance);
  first.resize(2);
  EXPECT_THAT(first, Contains(kTrue[0]));
}

TEST(Adjust, IsForMethodsByKernels) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  SelectOptions options = options_for(data, 2);
  for (const char* method : {"hsic-lasso", "mr-nhsic", "mrmr-nhsic", "conditional", "qpfs"}) {
    options.method = method;
    EXPECT_THAT(indices(test::both::select(table, data.target, options, {})), UnorderedElementsAre(kTrue[0], kTrue[1]))
        << method;
  }
  for (const char* method : {"mrmr", "jmi", "lasso", "spam", "fohsic"}) {
    options.method = method;
    try {
      test::local::select(table, data.target, options, {});
      FAIL() << method;
    } catch (const InputError& error) {
      EXPECT_THAT(cli::spelled(error.what()),
                  HasSubstr(std::string("--adjust: --method ") + method + " goes by the values of features"));
    }
  }
}

TEST(Adjust, TheTargetMayBeDetermined) {
  Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  const SelectOptions options = options_for(data, 2);
  Target told = test::class_target(data.batch, 3);
  try {
    test::local::select(table, told, options, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(cli::spelled(error.what()), HasSubstr("--adjust: the covariates ('batch') determine the target 'y'"));
  }
  // All but two samples: nearly, and two strata have one class.
  told.labels[100] = (told.labels[100] + 1) % 3;
  const Result result = test::both::select(table, told, options, {});
  ASSERT_GE(result.warnings.size(), 2U);
  EXPECT_THAT(cli::spelled(result.warnings[0]),
              HasSubstr("--adjust: the covariates ('batch') nearly determine the target 'y': "));
  EXPECT_THAT(cli::spelled(result.warnings[1]),
              HasSubstr("--adjust: target 'y' has one class only in 2 of 3 strata, whose "));
  EXPECT_THAT(result.warnings[1], HasSubstr("batch 'L"));
}

TEST(Adjust, ScoresMadeBesideOtherCovariatesAreRefused) {
  const Planted data = planted();
  const Table table = test::table_of_columns(data.columns);
  ScoreOptions scoring;
  scoring.kernel = options_for(data, 2).kernel;
  const ScoredPart part = test::both::score(table, data.target, scoring, {});
  EXPECT_THAT(part.scores.explained(), ElementsAre(kTold));
  EXPECT_EQ(part.scores.constant(), 0);
  EXPECT_EQ(part.warnings.size(), 1U);
  const Scores joined = test::both::join_parts({&part, 1}, table, data.target, scoring.kernel);
  const SelectOptions options = options_for(data, 5);
  EXPECT_EQ(test::json_without_times(test::both::select(table, data.target, options, {}, &joined)),
            test::json_without_times(test::both::select(table, data.target, options, {})));
  KernelOptions other = scoring.kernel;
  std::vector<int> batch = data.batch;
  std::swap(batch[0], batch[1]);
  other.adjustment = test::adjustment_of({test::nominal_covariate("batch", batch)});
  EXPECT_THROW(test::local::join_parts({&part, 1}, table, data.target, other), InputError);
  other.adjustment = nullptr;
  EXPECT_THROW(test::local::join_parts({&part, 1}, table, data.target, other), InputError);
}

// A feature of the table in the place of values: the same to the bit, whichever samples are left out.
TEST(Adjust, CovariatesLeaveWithTheirSamples) {
  const Planted data = planted();
  std::vector<std::vector<double>> columns = data.columns;
  columns.emplace_back(data.batch.begin(), data.batch.end());
  columns[5][3] = std::nan("");
  columns[5][200] = std::nan("");
  for (std::size_t k = 20; k < 40; ++k) columns[k][50] = std::nan("");  // a sample that lacks too much
  Table table = test::table_of_columns(columns);
  for (int i = 0; i < kSamples; ++i) table.sample_ids.push_back("s" + std::to_string(i));
  table.nominal.add(std::array{std::int64_t{kFeatures}});
  take_covariates(table, std::array{"f" + std::to_string(kFeatures)});
  table.target = TargetColumn{"y", {}, data.target.values};
  ReadOptions reading;
  reading.subset.exclude_samples = {"exclude-samples", std::vector<std::string>{"s1", "s2", "s7"}};
  reading.subset.mind = 0.25;
  apply_subset(table, reading, {});
  EXPECT_EQ(table.features(), kFeatures);
  EXPECT_EQ(table.samples(), kSamples - 4);
  std::vector<int> kept;
  for (int i = 0; i < kSamples; ++i) {
    if (i != 1 && i != 2 && i != 7 && i != 50) kept.push_back(data.batch[static_cast<std::size_t>(i)]);
  }
  KernelOptions found;
  adjust_for_covariates(table, found);
  const auto expected = test::adjustment_of({test::nominal_covariate("batch", kept)});
  EXPECT_EQ(found.adjustment->columns(), expected->columns());
  EXPECT_EQ(found.adjustment->strata, expected->strata);
  EXPECT_EQ(found.adjustment->key(), expected->key());
}

}  // namespace
}  // namespace land
