// p-values, q-values and -m auto, from the table to the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "land/base/error.h"
#include "land/inference/permute.h"
#include "land/methods/method.h"
#include "tests/support/commands.h"
#include "tests/support/covariates.h"
#include "tests/support/engine_tables.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using test::threads;
using Columns = std::vector<std::vector<double>>;

Columns noise(int n, int d, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Columns columns(static_cast<std::size_t>(d));
  for (std::vector<double>& column : columns) {
    for (int i = 0; i < n; ++i) column.push_back(static_cast<double>(static_cast<float>(normal(random))));
  }
  return columns;
}

std::vector<int> halves(int n) {
  std::vector<int> labels;
  for (int i = 0; i < n; ++i) labels.push_back(i % 2);
  return labels;
}

SelectOptions options_of(std::int64_t permutations, std::int64_t m = 5) {
  SelectOptions options;
  options.features = m;
  options.permutations = permutations;
  return options;
}

SelectOptions automatic(std::int64_t permutations) {
  SelectOptions options = options_of(permutations);
  options.automatic = true;
  return adjusted(options);
}

// With features that explain the classes.
Columns signals(int n, int d, int explaining, double shift, std::uint64_t seed) {
  Columns columns = noise(n, d, seed);
  for (int k = 0; k < explaining; ++k) {
    for (int i = 0; i < n; ++i) columns[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] += shift * (i % 2);
  }
  return columns;
}

TEST(Permutations, GiveTheShareOfAllSplitsOfFewSamples) {
  const Columns columns = noise(8, 12, 3);
  const std::vector<int> labels = {0, 1, 1, 0, 0, 1, 0, 1};
  // By brute force, from full matrices: the largest NHSIC of each of the 70 splits of 8 samples in two halves.
  std::vector<double> largest;
  std::vector<int> split = {0, 0, 0, 0, 1, 1, 1, 1};
  do {
    double most = 0.0;
    for (const std::vector<double>& column : columns) {
      most = std::max(most, test::nhsic(test::gaussian(column), test::classes(split)));
    }
    largest.push_back(most);
  } while (std::next_permutation(split.begin(), split.end()));
  ASSERT_EQ(largest.size(), 70U);

  SelectOptions options = options_of(1000, 12);
  options.kernel.factor = FactorKind::kFull;
  const Result result =
      test::both::select(test::table_of_floats(columns), test::class_target(labels, 2), options, threads(2));
  EXPECT_TRUE(result.permutations->are_all);
  EXPECT_EQ(result.permutations->made, 69);
  EXPECT_EQ(result.permutations->distinct, 70);
  ASSERT_FALSE(result.selected.empty());
  for (const SelectedFeature& feature : result.selected) {
    const auto as_far = std::count_if(largest.begin(), largest.end(),
                                      [&](double most) { return most >= feature.relevance * (1.0 - 1e-9); });
    EXPECT_DOUBLE_EQ(*feature.p_fwer, static_cast<double>(as_far) / 70.0);
  }
  const std::string warning = "69 permutations of 8 samples: no p-value can be below 0.014";
  EXPECT_EQ(std::count(result.warnings.begin(), result.warnings.end(), warning), 1);
}

TEST(Permutations, SayTheSameOnEveryEngineWithAnyThreads) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      SelectOptions options = options_of(60);
      options.kernel.missing = one.missing;
      options.seed = 11;
      const Result result = test::both::select(one.table, target, options, threads(2));
      for (const int count : {1, 7}) {
        options.block_size = 16 * count;
        const Result other = test::local::select(one.table, target, options, threads(count));
        EXPECT_EQ(other.permutations->largest, result.permutations->largest);
        ASSERT_EQ(other.selected.size(), result.selected.size());
        for (std::size_t t = 0; t < result.selected.size(); ++t) {
          EXPECT_EQ(other.selected[t].p_fwer, result.selected[t].p_fwer);
          EXPECT_EQ(other.selected[t].expected_by_chance, result.selected[t].expected_by_chance);
          EXPECT_EQ(other.selected[t].q, result.selected[t].q);
        }
      }
    }
  }
}

TEST(Permutations, OfMoreBeginWithThoseOfFewer) {
  const Table table = test::table_of_floats(signals(60, 40, 3, 2.0, 5));
  const Target target = test::class_target(halves(60), 2);
  const Result few = test::local::select(table, target, options_of(50), threads(2));
  const Result many = test::local::select(table, target, options_of(200), threads(2));
  ASSERT_EQ(few.permutations->largest.size(), 50U);
  ASSERT_EQ(many.permutations->largest.size(), 200U);
  EXPECT_TRUE(std::equal(few.permutations->largest.begin(), few.permutations->largest.end(),
                         many.permutations->largest.begin()));
  SelectOptions other = options_of(50);
  other.seed = 1;
  EXPECT_NE(test::local::select(table, target, other, threads(2)).permutations->largest, few.permutations->largest);
}

TEST(Permutations, EndWhenChanceIsShownToBeEnough) {
  const Table table = test::table_of_floats(noise(60, 40, 8));
  const Target target = test::class_target(halves(60), 2);
  const Result result = test::both::select(table, target, options_of(5000), threads(2));
  ASSERT_TRUE(result.permutations->ended_early);
  const std::vector<double>& largest = result.permutations->largest;
  const double most = result.selected[0].relevance;
  const auto as_far = std::count_if(largest.begin(), largest.end(), [&](double m) { return m >= most * (1.0 - 1e-9); });
  EXPECT_EQ(as_far, 20);
  EXPECT_GE(largest.back(), most * (1.0 - 1e-9)) << "the last is the twentieth";
  EXPECT_DOUBLE_EQ(*result.selected[0].p_fwer, 21.0 / static_cast<double>(largest.size() + 1));
}

// E and q of every feature by counting over all relevances, permuted and not.
TEST(Permutations, CountAllFeatures) {
  const Columns columns = signals(60, 80, 6, 1.0, 13);
  const Table table = test::table_of_floats(columns);
  const Target target = test::class_target(halves(60), 2);
  PermutationJob job{.target = std::make_shared<const Target>(target), .asked = 100, .end = 101, .last = 80};
  const Context context = threads(2);
  LocalRun local(table, Missing::kError, 0, context);
  const PermutedScores all = local.engine.permute(job);
  ASSERT_EQ(all.values.size(), 101U * 80U);
  const Result result = test::local::select(table, target, options_of(100, 30), threads(2));
  const auto count = [&](double t, bool permuted) {
    return static_cast<double>(std::count_if(all.values.begin(), all.values.end(), [&](const auto& value) {
      return (value.permutation > 0) == permuted && value.relevance >= t * (1.0 - 1e-9);
    }));
  };
  std::vector<double> observed;
  for (const auto& value : all.values) {
    if (value.permutation == 0) observed.push_back(value.relevance);
  }
  ASSERT_GE(result.selected.size(), 20U);
  for (const SelectedFeature& feature : result.selected) {
    const double t = feature.relevance;
    EXPECT_NEAR(*feature.expected_by_chance, (count(t, false) + count(t, true)) / 101.0, 1e-12);
    double q = 1.0;
    for (const double s : observed) {
      if (s <= t * (1.0 + 1e-9)) q = std::min(q, (count(s, false) + count(s, true)) / 101.0 / count(s, false));
    }
    EXPECT_NEAR(*feature.q, q, 1e-12);
  }
}

TEST(Permutations, GiveEveryScoredFeatureItsChance) {
  const Table table = test::table_of_floats(signals(60, 80, 6, 1.0, 13));
  const Target target = test::class_target(halves(60), 2);
  const Result result = test::local::select(table, target, options_of(100, 30), threads(2));
  const Context context = threads(2);
  LocalRun local(table, Missing::kError, 0, context);
  ScoreOptions options;
  options.permutations = 100;
  std::vector<std::string> warnings;
  const ScoredPart part = score(local.engine, table, target, options, context);
  EXPECT_TRUE(part.refined);
  const FeatureChance chance = chance_of(local.engine, part, target, options, context, warnings);
  ASSERT_EQ(chance.q.size(), 80U);
  for (const SelectedFeature& feature : result.selected) {
    const auto k = static_cast<std::size_t>(feature.index);
    EXPECT_EQ(chance.p_fwer[k], *feature.p_fwer);
    EXPECT_EQ(chance.expected[k], *feature.expected_by_chance);
    EXPECT_EQ(chance.q[k], *feature.q);
  }
}

TEST(Permutations, SayNothingOfWhatIsDeepInChance) {
  // 3,000 features: of the least relevant more than 1,000 are expected.
  const Table table = test::table_of_floats(noise(30, 3000, 21));
  const Target target = test::class_target(halves(30), 2);
  const Context context = threads(2);
  LocalRun local(table, Missing::kError, 0, context);
  ScoreOptions options;
  options.permutations = 40;
  std::vector<std::string> warnings;
  const ScoredPart part = score(local.engine, table, target, options, context);
  const FeatureChance chance = chance_of(local.engine, part, target, options, context, warnings);
  const auto known =
      std::count_if(chance.expected.begin(), chance.expected.end(), [](double e) { return !std::isnan(e); });
  EXPECT_NEAR(static_cast<double>(known), 1000.0, 100.0);
  for (std::size_t k = 0; k < chance.q.size(); ++k) {
    EXPECT_FALSE(std::isnan(chance.p_fwer[k]));
    EXPECT_EQ(std::isnan(chance.q[k]), std::isnan(chance.expected[k]));
    if (std::isnan(chance.expected[k])) continue;
    EXPECT_LE(chance.expected[k], 1000.0);
  }
}

// --- -m auto ---------------------------------------------------------------------------------------------------------

TEST(Automatic, EndsThePathWhereChanceBegins) {
  const Table table = test::table_of_floats(signals(100, 200, 4, 1.5, 3));
  const Target target = test::class_target(halves(100), 2);
  for (const bool plain : {false, true}) {
    SelectOptions options = automatic(200);
    options.plain_path = plain;
    const Result result = test::local::select(table, target, options, threads(2));
    std::vector<double> largest = result.permutations->largest;
    std::sort(largest.begin(), largest.end());
    const double c = *result.permutations->least_lambda;
    EXPECT_NEAR(c, largest[190], 1e-8 * c);  // ceil(0.95 * 201) = 191
    EXPECT_EQ(result.stopped, "lambda_reached");
    EXPECT_EQ(*result.lambda, c);
    EXPECT_TRUE(result.certificate->valid);
    ASSERT_GE(result.selected.size(), 2U);
    ASSERT_LE(result.selected.size(), 4U);
    // The whole path, cut where lambda is c.
    const Result whole = test::local::select(table, target, options_of(0, 20), threads(2));
    std::vector<std::int64_t> active;
    for (const PathStep& step : whole.path) {
      if (step.lambda < c) break;
      if (step.event == PathStep::Event::kEnter) active.push_back(*step.index);
      if (step.event == PathStep::Event::kDrop) std::erase(active, *step.index);
    }
    ASSERT_EQ(result.selected.size(), active.size());
    for (std::size_t t = 0; t < active.size(); ++t) {
      EXPECT_EQ(result.selected[t].index, active[t]);
      EXPECT_LE(*result.selected[t].p_fwer, 0.05);
      EXPECT_LE(result.selected[t].index, 3);
    }
  }
}

TEST(Automatic, MaySelectNothing) {
  const Table table = test::table_of_floats(noise(60, 40, 8));
  const Target target = test::class_target(halves(60), 2);
  const Result result = test::both::select(table, target, automatic(0), threads(2));
  EXPECT_EQ(result.options.permutations, kUsualPermutations);
  EXPECT_TRUE(result.selected.empty());
  EXPECT_EQ(result.stopped, "lambda_reached");
  EXPECT_TRUE(result.certificate->valid);
  EXPECT_GT(result.permutations->p_of_largest, 0.05);
}

// It ends early, after too few permutations for so small an alpha: chance comes farther, and that is the answer.
TEST(Automatic, SelectsNothingWhereItEndedEarly) {
  const Table table = test::table_of_floats(noise(60, 40, 8));
  const Target target = test::class_target(halves(60), 2);
  SelectOptions options = automatic(1000);
  options.alpha = 0.005;
  const Result result = test::both::select(table, target, options, threads(2));
  ASSERT_TRUE(result.permutations->ended_early);
  ASSERT_LT(result.permutations->made, 199);
  EXPECT_TRUE(result.selected.empty());
  EXPECT_TRUE(result.certificate->valid);
}

TEST(Automatic, RefusesWhatItCannotSay) {
  const Table table = test::table_of_floats(noise(60, 40, 8));
  const Target target = test::class_target(halves(60), 2);
  EXPECT_THROW(test::local::select(table, target, automatic(18), threads(1)), InputError);
  EXPECT_NO_THROW(test::local::select(table, target, automatic(19), threads(1)));
  SelectOptions other = automatic(100);
  other.method = "mrmr";
  EXPECT_THROW(test::local::select(table, target, other, threads(1)), InputError);
}

// --- Whether they keep what they promise -----------------------------------------------------------------------------

// Of tables without any signal: how many have a p of 0.05 or less. 20 of 400 are expected; 5 to 39 is within 3.4
// standard deviations.
TEST(Calibration, HoldsTheErrorRateOfPermutations) {
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const int n = 40;
    const Table table = test::table_of_floats(noise(n, 30, 1000 + seed));
    SelectOptions options = options_of(39, 1);
    options.method = "mr-nhsic";
    options.seed = static_cast<std::int64_t>(seed);
    const Result result = test::local::select(table, test::class_target(halves(n), 2), options, threads(1));
    rejected += result.permutations->p_of_largest <= 0.05 ? 1 : 0;
  }
  EXPECT_GE(rejected, 5);
  EXPECT_LE(rejected, 39);
}

// Of tables with five signals among 100 features: the mean share of false ones in the list down to q = 0.1. A little
// below 0.1 is expected, by the share of features that are signals.
TEST(Calibration, HoldsTheFalseDiscoveryRate) {
  double sum = 0.0;
  int found = 0;
  constexpr int kTables = 250;
  for (std::uint64_t seed = 0; seed < kTables; ++seed) {
    const int n = 60;
    const Table table = test::table_of_floats(signals(n, 100, 5, 1.2, 5000 + seed));
    const Target target = test::class_target(halves(n), 2);
    const Context context = threads(1);
    LocalRun local(table, Missing::kError, 0, context);
    ScoreOptions options;
    options.permutations = 100;
    options.seed = static_cast<std::int64_t>(seed);
    std::vector<std::string> warnings;
    const ScoredPart part = score(local.engine, table, target, options, context);
    const FeatureChance chance = chance_of(local.engine, part, target, options, context, warnings);
    double taken = 0.0;
    double wrong = 0.0;
    for (std::size_t k = 0; k < chance.q.size(); ++k) {
      if (!(chance.q[k] <= 0.1)) continue;
      taken += 1.0;
      wrong += k >= 5 ? 1.0 : 0.0;
      found += k < 5 ? 1 : 0;
    }
    sum += taken > 0.0 ? wrong / taken : 0.0;
  }
  EXPECT_GE(sum / kTables, 0.05);
  EXPECT_LE(sum / kTables, 0.12);
  EXPECT_GT(found, 3 * kTables);
}

// Of tables in which target and ten of fifty features follow the batch, and nothing else is to be found: how many have
// a p of 0.05 or less. Beside the batch no more than 9 of 60; without it all of them.
struct Confounded {
  Table table;
  Target target;
  std::vector<int> batch;
};

Confounded confounded(std::uint64_t seed, bool numeric) {
  constexpr int kSamples = 90;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Columns columns = noise(kSamples, 50, seed + 1);
  Confounded made;
  made.batch = test::sample_labels(kSamples, 3, seed);
  std::vector<int> labels;
  std::vector<double> values;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double effect = 1.3 * (made.batch[i] - 1);
    for (std::size_t k = 0; k < 5; ++k) columns[k][i] += effect;
    for (std::size_t k = 5; k < 10; ++k) columns[k][i] *= std::exp(0.5 * effect);
    values.push_back(effect + normal(random));
    labels.push_back(values.back() > 0.0 ? 1 : 0);
  }
  made.table = test::table_of_floats(columns);
  made.target = numeric ? test::numeric_target(values) : test::class_target(labels, 2);
  return made;
}

TEST(Calibration, HoldsTheErrorRateBesideABatch) {
  constexpr int kTables = 60;
  for (const bool numeric : {false, true}) {
    int adjusted = 0;
    int plain = 0;
    for (std::uint64_t seed = 0; seed < kTables; ++seed) {
      const Confounded made = confounded(100 + seed, numeric);
      SelectOptions options = options_of(39, 1);
      options.method = "mr-nhsic";
      options.seed = static_cast<std::int64_t>(seed);
      const auto is_rejected = [&] {
        const Result result = test::local::select(made.table, made.target, options, threads(1));
        return result.permutations->p_of_largest <= 0.05 ? 1 : 0;
      };
      plain += is_rejected();
      options.kernel.adjustment = test::adjustment_of({test::nominal_covariate("batch", made.batch)});
      adjusted += is_rejected();
    }
    EXPECT_EQ(plain, kTables);
    EXPECT_LE(adjusted, 9) << (numeric ? "numbers" : "classes");
  }
}

TEST(Permutations, StayWithinTheStrataOfCovariates) {
  const Confounded made = confounded(5, true);
  SelectOptions options = options_of(50, 2);
  options.kernel.adjustment = test::adjustment_of({test::nominal_covariate("batch", made.batch)});
  const Result strata = test::both::select(made.table, made.target, options, threads(2));
  EXPECT_TRUE(strata.permutations->within_strata);
  EXPECT_FALSE(strata.permutations->approximate);
  std::vector<double> age;
  for (const int batch : made.batch) age.push_back(batch + 0.1 * static_cast<double>(age.size()));
  options.kernel.adjustment = test::adjustment_of({test::numeric_covariate("age", age)});
  const Result free = test::both::select(made.table, made.target, options, threads(2));
  EXPECT_FALSE(free.permutations->within_strata);
  EXPECT_TRUE(free.permutations->approximate);
}

TEST(Permutations, TakeSurvival) {
  std::mt19937_64 random(4);
  std::exponential_distribution<double> wait;
  const Columns columns = noise(80, 40, 6);
  std::vector<double> times;
  for (int i = 0; i < 80; ++i) times.push_back(wait(random) * std::exp(-1.5 * columns[7][static_cast<std::size_t>(i)]));
  const Result result =
      test::both::select(test::table_of_floats(columns), test::survival_target(times), options_of(100, 2), threads(2));
  EXPECT_EQ(result.selected[0].index, 7);
  EXPECT_DOUBLE_EQ(*result.selected[0].p_fwer, 1.0 / 101.0);
}

}  // namespace
}  // namespace land
