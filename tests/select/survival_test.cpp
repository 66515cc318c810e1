// Survival as a target: residuals of the null model, whose score is a log-rank statistic in the kernel of a feature.
#include "land/data/survival.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "cli/spelling.h"
#include "land/advice/target_warnings.h"
#include "land/base/error.h"
#include "land/judging/folds.h"
#include "land/kernels/families/kernels.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using testing::HasSubstr;

struct Cohort {
  std::vector<double> times;
  std::vector<std::uint8_t> events;
};

// Times with ties, of whole months.
Cohort cohort_of(int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> wait(0.1);
  Cohort cohort;
  for (int i = 0; i < n; ++i) {
    const double event = std::floor(wait(random));
    const double censoring = std::floor(1.5 * wait(random));
    cohort.times.push_back(std::min(event, censoring));
    cohort.events.push_back(event <= censoring ? 1 : 0);
  }
  return cohort;
}

TargetColumn column_of(const Cohort& cohort) {
  TargetColumn column;
  column.name = "months,status";
  column.time_name = "months";
  column.event_name = "status";
  column.numbers = cohort.times;
  column.events = cohort.events;
  return column;
}

// Deaths of one group less those expected of it, time by time: the numerator of the log-rank test.
double log_rank(const Cohort& cohort, const std::vector<bool>& in_group) {
  std::vector<double> times = cohort.times;
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  double difference = 0.0;
  for (const double time : times) {
    double at_risk = 0.0;
    double at_risk_here = 0.0;
    double deaths = 0.0;
    double deaths_here = 0.0;
    for (std::size_t i = 0; i < in_group.size(); ++i) {
      if (cohort.times[i] < time) continue;
      at_risk += 1.0;
      at_risk_here += in_group[i] ? 1.0 : 0.0;
      if (cohort.times[i] > time || cohort.events[i] == 0) continue;
      deaths += 1.0;
      deaths_here += in_group[i] ? 1.0 : 0.0;
    }
    difference += deaths_here - deaths * at_risk_here / at_risk;
  }
  return difference;
}

TEST(Survival, HazardIsThatOfTheDefinition) {
  for (const int n : {1, 2, 7, 150}) {
    const Cohort cohort = cohort_of(n, 3);
    const std::vector<double> hazard = nelson_aalen(cohort.times, cohort.events);
    double residuals = 0.0;
    for (std::size_t i = 0; i < hazard.size(); ++i) {
      double expected = 0.0;
      for (std::size_t j = 0; j < hazard.size(); ++j) {
        if (cohort.events[j] == 0 || cohort.times[j] > cohort.times[i]) continue;
        const auto at_risk = std::count_if(cohort.times.begin(), cohort.times.end(),
                                           [&](double time) { return time >= cohort.times[j]; });
        expected += 1.0 / static_cast<double>(at_risk);  // ties: each of d events adds 1/n
      }
      EXPECT_NEAR(hazard[i], expected, 1e-13 * n);
      residuals += martingale_residuals(cohort.times, cohort.events)[i];
    }
    EXPECT_NEAR(residuals, 0.0, 1e-13 * n);
  }
}

TEST(Survival, ScoreOfTwoGroupsIsTheSquaredLogRankNumerator) {
  constexpr std::size_t kSamples = 90;
  const Cohort cohort = cohort_of(kSamples, 5);
  const Target target = make_target(column_of(cohort), Task::kAuto);
  std::vector<bool> in_group;
  std::vector<double> feature;
  for (std::size_t i = 0; i < kSamples; ++i) {
    in_group.push_back((i * 7) % 5 < 2);
    feature.push_back(in_group.back() ? 2.5 : -1.0);
  }
  const double size = static_cast<double>(std::count(in_group.begin(), in_group.end(), true));
  const double rest = kSamples - size;
  double squares = 0.0;
  for (const double v : target.values) squares += v * v;
  const double numerator = log_rank(cohort, in_group);
  const double expected = numerator * numerator * kSamples / (size * rest * squares);
  // All kernels of two values are one, once they are centred and normalised.
  for (const KernelFamily family :
       {KernelFamily::kGaussian, KernelFamily::kLaplace, KernelFamily::kDistance, KernelFamily::kLinear}) {
    KernelOptions options;
    options.family = family;
    const Kernels kernels(options);
    const FeatureBlock block = test::block_of(feature);
    EXPECT_NEAR(redundancy(kernels.form(block.view(0)), kernels.form(target)), expected, 1e-12) << to_string(family);
  }
}

TEST(Survival, TransformAndWidthAreOfFeaturesAlone) {
  const Target target = make_target(column_of(cohort_of(40, 6)), Task::kAuto);
  KernelOptions options;
  const std::vector<double> plain = Kernels(options).full(target).values;
  options.transform = Transform::kRank;
  options.sigma = {0.3, 1.0};
  EXPECT_EQ(Kernels(options).full(target).values, plain);
}

// v' K v / ||v||^2 of one feature, and of the same samples in other orders: the share of those that exceed it.
double p_value(const FullKernel& kernel, std::vector<double> v, std::mt19937_64& random) {
  const auto n = v.size();
  double mean = 0.0;
  for (const double x : v) mean += x / static_cast<double>(n);
  for (double& x : v) x -= mean;
  const auto form = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double row = 0.0;
      for (std::size_t j = 0; j < n; ++j) row += kernel.values[i * n + j] * v[j];
      sum += v[i] * row;
    }
    return sum;
  };
  const double observed = form();
  constexpr int kOrders = 99;
  int above = 1;
  for (int r = 0; r < kOrders; ++r) {
    std::shuffle(v.begin(), v.end(), random);
    above += form() >= observed ? 1 : 0;
  }
  return above / (kOrders + 1.0);
}

// Times do not depend on the feature, but how long a sample is followed does.
TEST(Survival, CensoringThatDependsOnTheFeatureIsNoSignal) {
  constexpr int kSamples = 60;
  constexpr int kRuns = 200;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> wait;
  const Kernels kernels{KernelOptions{}};
  int found = 0;
  int found_by_time = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> feature;
    Cohort cohort;
    for (int i = 0; i < kSamples; ++i) {
      feature.push_back(normal(random));
      const double event = wait(random);
      const double censoring = wait(random) * std::exp(1.5 * feature.back());
      cohort.times.push_back(std::min(event, censoring));
      cohort.events.push_back(event <= censoring ? 1 : 0);
    }
    const FullKernel kernel = kernels.full(test::block_of(feature).view(0));
    found += p_value(kernel, martingale_residuals(cohort.times, cohort.events), random) <= 0.05 ? 1 : 0;
    found_by_time += p_value(kernel, cohort.times, random) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(found, 0.09 * kRuns);
  EXPECT_GE(found_by_time, 0.8 * kRuns);
}

TEST(Survival, FindsWhatTimesDependOn) {
  constexpr int kSamples = 150;
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> wait;
  std::vector<std::vector<double>> columns(30, std::vector<double>(kSamples));
  Cohort cohort;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (auto& column : columns) column[i] = normal(random);
    const double event = wait(random) * std::exp(columns[11][i]);
    const double censoring = 2.0 * wait(random);
    cohort.times.push_back(std::min(event, censoring));
    cohort.events.push_back(event <= censoring ? 1 : 0);
  }
  SelectOptions options;
  options.features = 3;
  const Target target = make_target(column_of(cohort), Task::kAuto);
  const Table table = test::table_of_columns(columns);
  for (const char* method : {"land", "mr-nhsic", "hsfs", "lasso", "mrmr"}) {
    options.method = method;
    const Result result = test::local::select(table, target, options, {});
    EXPECT_EQ(result.selected[0].index, 11) << method;
    EXPECT_EQ(result.target.task, Task::kSurvival);
    EXPECT_EQ(result.target.follow_up->events, std::count(cohort.events.begin(), cohort.events.end(), 1));
  }
}

TEST(Survival, WordsOfEvents) {
  for (const char* word : {"1", "1.0", "true", "TRUE", "Dead", "DECEASED", "1:DECEASED", "1:Recurred", "event"}) {
    EXPECT_EQ(event_of(word), true) << word;
  }
  for (const char* word : {"0", "False", "alive", "Living", "0:LIVING", "0:DiseaseFree", "Censored"}) {
    EXPECT_EQ(event_of(word), false) << word;
  }
  for (const char* word : {"", "2", "-1", "yes", "2:LOST", "1:", ":1", "10:X", "deadly"}) {
    EXPECT_EQ(event_of(word), std::nullopt) << word;
  }
}

std::string error_of(const TargetColumn& column) {
  try {
    make_target(column, Task::kAuto);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

TEST(Survival, WithoutEventsOrTimesIsRefused) {
  Cohort cohort = cohort_of(20, 9);
  cohort.events.assign(20, 0);
  EXPECT_EQ(error_of(column_of(cohort)),
            "target 'months,status' has no event: all 20 samples are censored; see which codes 'status' has");
  cohort = cohort_of(20, 9);
  cohort.times.assign(20, 12.0);
  EXPECT_EQ(error_of(column_of(cohort)),
            "target 'months,status': all 20 times are 12; nothing can explain them, choose another");
}

TEST(Survival, FewEventsAreTold) {
  Cohort cohort = cohort_of(60, 10);
  cohort.events.assign(60, 0);
  cohort.events[4] = cohort.events[9] = 1;
  const Target target = make_target(column_of(cohort), Task::kAuto);
  const auto warnings = target_warnings(target, test::table_of_columns({std::vector<double>(60)}));
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings[0], HasSubstr("2 events among 60 samples"));
}

TEST(Survival, FoldsHaveTheirShareOfEvents) {
  const Target target = make_target(column_of(cohort_of(83, 11)), Task::kAuto);
  const auto events = std::count(target.events.begin(), target.events.end(), 1);
  for (const Split& split : make_splits(target, {.folds = 4})) {
    const Target part = part_of(target, split.held_out);
    EXPECT_NEAR(static_cast<double>(std::count(part.events.begin(), part.events.end(), 1)), events / 4.0, 1.0);
    EXPECT_EQ(part.values, martingale_residuals(part.times, part.events));
  }
}

}  // namespace
}  // namespace land
