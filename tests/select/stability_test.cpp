// Stability selection against a slow loop over tables that are cut by hand, and its threshold against values from the
// formulas.
#include "land/commands/stability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "land/commands/adjust_for_covariates.h"
#include "land/judging/folds.h"
#include "land/judging/stability_bound.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/method.h"
#include "land/report/json.h"
#include "land/report/tsv.h"
#include "land/subset/subset_table.h"
#include "tests/support/commands.h"
#include "tests/support/covariates.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

using test::threads;
using testing::Contains;
using testing::HasSubstr;

Stability stability_of(const Table& table, const Target& target, const StabilityOptions& options,
                       const Context& context) {
  LocalRun local(table, options.select.kernel.missing, options.select.block_size, context);
  return find_stable(local.engine, local.pool, table, target, options, context);
}

std::string json_without_times(Stability stability) {
  stability.seconds = {};
  return to_json(stability);
}

// By definition.
std::map<std::int64_t, std::int64_t> slow_counts(const Table& table, const Target& target,
                                                 const StabilityOptions& options, std::int64_t q, double& mean) {
  std::map<std::int64_t, std::int64_t> counts;
  mean = 0.0;
  for (const Split& split : make_splits(target, {.folds = 2, .repeats = options.pairs, .seed = options.seed})) {
    Table half = table;
    subset_table(half, {split.held_out, std::nullopt}, "", {});
    SelectOptions asked = options.select;
    asked.features = q;
    if (asked.kernel.adjustment) adjust_for_covariates(half, asked.kernel);
    const Result result = test::local::select(half, part_of(target, split.held_out), asked, {});
    for (const SelectedFeature& feature : result.selected) ++counts[feature.index];
    mean += static_cast<double>(result.selected.size()) / static_cast<double>(2 * options.pairs);
  }
  return counts;
}

TEST(FindStable, CountsWhatASlowLoopOverCutTablesFinds) {
  for (const test::EngineTable& one : test::engine_tables()) {
    if (one.table.features() == 1) continue;
    for (const std::string method : {"land", "mr-nhsic", "mrmr"}) {
      SCOPED_TRACE(one.name + ", " + method);
      StabilityOptions options;
      options.select.method = method;
      options.select.kernel.missing = one.missing;
      options.features = 4;
      options.pairs = 3;
      options.seed = 5;
      const Target target = test::engine_classes();
      double mean = 0.0;
      const std::map<std::int64_t, std::int64_t> expected = slow_counts(one.table, target, options, 4, mean);
      const Stability found = stability_of(one.table, target, options, threads(2));
      EXPECT_EQ(found.selections, 6);
      EXPECT_DOUBLE_EQ(found.mean_selected, mean);
      std::map<std::int64_t, std::int64_t> counts;
      for (const FeatureFrequency& feature : found.features) {
        counts[feature.index] = feature.count;
        EXPECT_DOUBLE_EQ(feature.frequency, static_cast<double>(feature.count) / 6.0);
      }
      EXPECT_EQ(counts, expected);
      options.select.block_size = 16;
      EXPECT_EQ(to_tsv(stability_of(one.table, target, options, threads(1))), to_tsv(found));
    }
  }
}

TEST(FindStable, TakesCovariatesOutOfEachHalf) {
  const test::EngineTable one = test::engine_tables().front();
  Table table = one.table;
  table.covariates = {test::nominal_covariate("batch", test::sample_labels(test::kEngineSamples, 2, 9))};
  StabilityOptions options;
  options.features = 4;
  options.pairs = 3;
  const Target target = test::engine_classes();
  const std::string plain = to_tsv(stability_of(table, target, options, threads(1)));
  adjust_for_covariates(table, options.select.kernel);
  double mean = 0.0;
  const std::map<std::int64_t, std::int64_t> expected = slow_counts(table, target, options, 4, mean);
  const Stability found = stability_of(table, target, options, threads(2));
  std::map<std::int64_t, std::int64_t> counts;
  for (const FeatureFrequency& feature : found.features) counts[feature.index] = feature.count;
  EXPECT_EQ(counts, expected);
  EXPECT_NE(to_tsv(found), plain);
  EXPECT_THAT(to_json(found), HasSubstr("\"adjust\":[\"batch\"]"));
}

TEST(FindStable, IsTheSameOnEveryEngine) {
  const test::EngineTable one = test::engine_tables().front();
  StabilityOptions options;
  options.features = 5;
  options.pairs = 4;
  const Context context;
  const Target target = test::engine_numbers();
  const std::string local = json_without_times(stability_of(one.table, target, options, context));
  test::LoopbackRun loopback(one.table, one.missing, context);
  EXPECT_EQ(json_without_times(find_stable(loopback.engine, loopback.pool, loopback.table, target, options, context)),
            local);
  test::RemoteRun remote(one.table, one.missing, context);
  EXPECT_EQ(json_without_times(find_stable(remote.engine, remote.pool, remote.table, target, options, context)), local);
}

// Computed from C(tau, B) q^2 / d of Shah and Samworth (2013), (8), by hand: R's stabs was not at hand.
TEST(StabilityBound, IsThatOfShahAndSamworth) {
  struct Case {
    std::int64_t count, pairs;
    double constant;
  };
  for (const auto& [count, pairs, constant] :
       {Case{60, 50, 2.631578947368421}, Case{75, 50, 1.0204081632653061}, Case{76, 50, 0.9803921568627451},
        Case{90, 50, 0.43137254901960786}, Case{100, 50, 0.0392156862745098}, Case{30, 25, 2.7777777777777777},
        Case{40, 25, 0.8461538461538461}, Case{150, 100, 1.0101010101010102}}) {
    EXPECT_NEAR(stability_bound(count, pairs, 20.0, 400).value(), constant, 1e-12) << count << " " << pairs;
    EXPECT_NEAR(stability_bound(count, pairs, 7.5, 1000).value(), constant * 0.05625, 1e-12);
  }
  EXPECT_FALSE(stability_bound(101, 50, 20.0, 400));  // beyond all selections
  EXPECT_FALSE(stability_bound(60, 50, 60.0, 100));   // too large a share of the features for the theorem
  EXPECT_FALSE(stability_bound(75, 50, 57.0, 100));   // the threshold is too close to chance
  EXPECT_TRUE(stability_bound(90, 50, 57.0, 100));
  EXPECT_FALSE(stability_bound(2, 2, 1.0, 100));  // half of them
}

TEST(StabilityBound, ChoosesTheSmallestThreshold) {
  EXPECT_EQ(choose_threshold(50, 20.0, 400, 1.0)->count, 76);
  EXPECT_NEAR(choose_threshold(50, 20.0, 400, 1.0)->bound, 0.9803921568627451, 1e-12);
  EXPECT_EQ(choose_threshold(50, 20.0, 400, 2.2)->count, 62);
  EXPECT_EQ(choose_threshold(50, 20.0, 400, 100.0)->count, 60);
  EXPECT_EQ(choose_threshold(50, 20.0, 400, 0.04)->count, 100);
  EXPECT_FALSE(choose_threshold(50, 20.0, 400, 0.03));
  EXPECT_EQ(choose_threshold(25, 20.0, 4000, 1.0)->count, 30);
  EXPECT_EQ(choose_threshold(51, 1.0, 4000, 1.0)->count, 62);  // 0.6 of 102 is 61.2
}

TEST(FindStable, NamesNearCopiesAndAddsTheirFrequencies) {
  const Target target = test::engine_classes();
  std::vector<std::vector<double>> columns = test::engine_columns(40, 0.0);
  // A signal and a near copy of it.
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < columns[1].size(); ++i) {
    columns[1][i] = 3.0 * target.labels[i] + normal(random);
    columns[2][i] = columns[1][i] + 0.05 * normal(random);
  }
  const Table table = test::table_of_columns(columns);
  StabilityOptions options;
  options.features = 3;
  options.pairs = 10;
  const Stability found = stability_of(table, target, options, threads(2));
  const auto one = std::find_if(found.features.begin(), found.features.end(),
                                [](const FeatureFrequency& feature) { return feature.index == 1; });
  const auto two = std::find_if(found.features.begin(), found.features.end(),
                                [](const FeatureFrequency& feature) { return feature.index == 2; });
  ASSERT_NE(one, found.features.end());
  ASSERT_NE(two, found.features.end());
  EXPECT_THAT(one->group, Contains(2));
  EXPECT_THAT(one->group_names, Contains("f2"));
  EXPECT_THAT(two->group, Contains(1));
  const Kernels kernels(options.select.kernel);
  LocalRun local(table, Missing::kError, 0, {});
  for (const FeatureFrequency& feature : found.features) {
    std::int64_t sum = feature.count;
    for (const FeatureFrequency& other : found.features) {
      if (other.index == feature.index) continue;
      const std::vector<FeatureId> ids = {std::min(feature.index, other.index), std::max(feature.index, other.index)};
      const auto blocks = local.engine.fetch(ids);
      const double r = redundancy(kernels.form(blocks[0]->view(0)), kernels.form(blocks[1]->view(0)));
      const bool near = std::count(feature.group.begin(), feature.group.end(), other.index) > 0;
      if (std::abs(r - kNearCopy) > 1e-6) {
        EXPECT_EQ(near, r > kNearCopy) << ids[0] << " " << ids[1];
      }
      if (near) sum += other.count;
    }
    EXPECT_NEAR(feature.group_frequency, static_cast<double>(sum) / 20.0, 1e-12);
  }
}

TEST(FindStable, AsksForTheRootOfTheNumberOfFeatures) {
  const test::EngineTable one = test::engine_tables().front();  // of 203 features
  StabilityOptions options;
  options.pairs = 2;
  EXPECT_EQ(stability_of(one.table, test::engine_classes(), options, {}).asked, 14);
}

TEST(FindStable, TellsWhereNoThresholdKeepsTheBound) {
  const test::EngineTable one = test::engine_tables().front();
  StabilityOptions options;
  options.pairs = 2;
  options.max_false = 1e-3;
  const Stability found = stability_of(one.table, test::engine_classes(), options, {});
  EXPECT_FALSE(found.threshold);
  EXPECT_FALSE(found.bound);
  EXPECT_THAT(found.warnings, Contains(HasSubstr("no threshold keeps the expected number")));
  for (const FeatureFrequency& feature : found.features) EXPECT_FALSE(feature.stable);
}

TEST(FindStable, RefusesHalvesThatTellNothing) {
  const Table table = test::table_of_columns({{1, 2, 3, 4, 5, 6, 7}, {1, 0, 2, 5, 3, 4, 1}});
  EXPECT_THROW(stability_of(table, test::class_target({0, 1, 0, 1, 0, 1, 0}, 2), {}, {}), InputError);
  const test::EngineTable one = test::engine_tables().front();
  std::vector<int> labels(test::kEngineSamples, 0);
  labels[3] = 1;
  EXPECT_THROW(stability_of(one.table, test::class_target(labels, 2), {}, {}), InputError);
}

}  // namespace
}  // namespace land
