// Permuted relevances, all of them and those that bounds leave, against full matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <utility>

#include "land/permuting/permutation_job.h"
#include "land/permuting/permutations.h"
#include "tests/support/engine_tables.h"
#include "tests/support/oracle.h"

namespace land {
namespace {

constexpr std::int64_t kPermutations = 12;
constexpr std::int64_t kAll = std::int64_t{1} << 40U;

PermutationJob job_of(const Target& target, const KernelOptions& kernel, std::int64_t permutations = kPermutations) {
  return {.target = std::make_shared<const Target>(target),
          .kernel = kernel,
          .seed = 3,
          .asked = permutations,
          .end = permutations + 1,
          .last = kAll};
}

PermutedScores score(const PermutationJob& job, const FeatureSource& source, std::int64_t together) {
  const auto scorer = make_permuted_scorer(job);
  PermutedScores scores = empty_scores(job);
  FeatureBlock block;
  for (std::int64_t first = 0; first < source.features(); first += together) {
    source.read(first, std::min(together, source.features() - first), block);
    scorer->score(block, job.first, job.last, {}, scores);
  }
  return scores;
}

using Values = std::map<std::pair<FeatureId, std::int64_t>, double>;  // by feature and permutation

Values by_place(const PermutedScores& scores) {
  Values values;
  for (const PermutedScores::Value& value : scores.values) {
    EXPECT_TRUE(values.emplace(std::pair(value.feature, value.permutation), value.relevance).second);
  }
  return values;
}

Eigen::MatrixXd matrix_of(const Target& target) {
  if (!target.has_classes()) return test::gaussian(target.values);
  return test::classes({target.labels.begin(), target.labels.end()});
}

// By definition: the target's matrix with rows and columns in another order.
double permuted_nhsic(const Eigen::MatrixXd& feature, const Eigen::MatrixXd& target,
                      std::span<const std::int32_t> order) {
  Eigen::MatrixXd permuted(target.rows(), target.cols());
  for (Eigen::Index i = 0; i < target.rows(); ++i) {
    for (Eigen::Index j = 0; j < target.cols(); ++j) {
      permuted(i, j) = target(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
  }
  return test::nhsic(feature, permuted);
}

void expect_definition(const test::EngineTable& one, const Target& target, KernelOptions kernel, double tolerance) {
  kernel.missing = one.missing;
  const auto source = one.table.source(one.missing);
  const PermutationJob job = job_of(target, kernel);
  const PermutedScores scores = score(job, *source, 20);
  const Values values = by_place(scores);
  const Permutations permutations(target, {}, job.seed, job.asked);
  const Eigen::MatrixXd of_target = matrix_of(target);
  std::vector<std::int32_t> order(static_cast<std::size_t>(target.size()));
  std::vector<double> largest(kPermutations + 1, 0.0);
  FeatureBlock block;
  std::size_t features = 0;
  for (FeatureId k = 0; k < source->features(); k += 3) {
    source->read(k, 1, block);
    const FeatureView view = block.view(0);
    if (view.header->constant || view.header->nominal) continue;
    ++features;
    std::vector<double> column(static_cast<std::size_t>(view.samples));
    view.copy_values(column);
    const Eigen::MatrixXd of_feature = test::gaussian(column, one.missing);
    for (std::int64_t b = 0; b <= kPermutations; ++b) {
      permutations.order(b, order);
      ASSERT_NEAR(values.at({k, b}), permuted_nhsic(of_feature, of_target, order), tolerance) << k << ", " << b;
    }
  }
  EXPECT_GT(features, 0U);
  for (const auto& [place, relevance] : values) {
    double& most = largest[static_cast<std::size_t>(place.second)];
    most = std::max(most, relevance);
  }
  EXPECT_EQ(scores.largest, largest);
  EXPECT_EQ(scores.evaluated, std::ssize(scores.values));
}

TEST(PermutedScorer, FollowsTheDefinition) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      expect_definition(one, target, {}, 1e-6);  // of factors
      KernelOptions exact;
      exact.factor = FactorKind::kFull;
      expect_definition(one, target, exact, 1e-9);
    }
  }
}

TEST(PermutedScorer, NeedsNoApproximationForFewValues) {
  for (const test::EngineTable& one : test::engine_tables()) {
    if (!one.name.starts_with("genotypes")) continue;
    SCOPED_TRACE(one.name);
    expect_definition(one, test::engine_classes(), {}, 1e-9);
  }
}

// With a floor as without one, but for what is below it; and most is then not computed.
void expect_floor_changes_nothing(const FeatureSource& source, const Target& target, const KernelOptions& kernel,
                                  std::int64_t permutations, double share, double computed) {
  PermutationJob job = job_of(target, kernel, permutations);
  const PermutedScores all = score(job, source, 32);
  std::vector<double> sorted;
  for (const PermutedScores::Value& value : all.values) sorted.push_back(value.relevance);
  std::sort(sorted.rbegin(), sorted.rend());
  job.floor = sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size()))];
  const PermutedScores few = score(job, source, 48);
  EXPECT_EQ(few.largest, all.largest);
  Values expected = by_place(all);
  std::erase_if(expected, [&](const auto& value) { return value.second < job.floor; });
  EXPECT_EQ(by_place(few), expected);
  EXPECT_GE(few.evaluated, std::ssize(few.values));
  EXPECT_LE(static_cast<double>(few.evaluated), computed * static_cast<double>(all.evaluated));
}

TEST(PermutedScorer, LeavesOutOnlyWhatIsBelowTheFloor) {
  for (const test::EngineTable& one : test::engine_tables()) {
    if (one.name == "one feature") continue;
    SCOPED_TRACE(one.name);
    KernelOptions kernel;
    kernel.missing = one.missing;
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      expect_floor_changes_nothing(*one.table.source(one.missing), target, kernel, 40, 0.02, 1.0);
    }
  }
}

struct Noise {
  Table table;
  Target classes;
  Target numbers;
};

Noise noise_of(int n, int d, int classes) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(d));
  for (std::vector<double>& column : columns) {
    for (int i = 0; i < n; ++i) column.push_back(static_cast<double>(static_cast<float>(normal(random))));
  }
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(normal(random));
  return {test::table_of_floats(columns), test::class_target(test::sample_labels(n, classes, 2), classes),
          test::numeric_target(numbers)};
}

TEST(PermutedScorer, ComputesFew) {
  const Noise noise = noise_of(300, 160, 2);
  const auto source = noise.table.source(Missing::kError);
  expect_floor_changes_nothing(*source, noise.classes, {}, 60, 0.005, 0.1);
  expect_floor_changes_nothing(*source, noise.numbers, {}, 60, 0.005, 0.1);
}

TEST(PermutedScorer, ComputesFewOfManySamplesAndClasses) {
  const Noise noise = noise_of(2600, 48, 10);
  const auto source = noise.table.source(Missing::kError);
  expect_floor_changes_nothing(*source, noise.classes, {}, 30, 0.01, 0.2);
  expect_floor_changes_nothing(*source, noise.numbers, {}, 30, 0.01, 0.2);
}

TEST(PermutedScorer, TakesOtherKernels) {
  const Noise noise = noise_of(60, 20, 2);
  const auto source = noise.table.source(Missing::kError);
  for (const KernelFamily family : {KernelFamily::kLaplace, KernelFamily::kDistance, KernelFamily::kLinear}) {
    for (const Target& target : {noise.classes, noise.numbers}) {
      KernelOptions kernel;
      kernel.family = family;
      const Values found = by_place(score(job_of(target, kernel), *source, 7));
      kernel.factor = FactorKind::kFull;
      const Values exact = by_place(score(job_of(target, kernel), *source, 16));
      ASSERT_EQ(found.size(), exact.size());
      for (const auto& [place, relevance] : exact) EXPECT_NEAR(found.at(place), relevance, 1e-10);
    }
  }
}

TEST(PermutedScorer, StopsWithinAFeature) {
  const std::atomic<bool> stop = true;
  const Context context{.stop = &stop};
  const test::EngineTable one = test::engine_tables().front();
  const auto source = one.table.source(one.missing);
  FeatureBlock block;
  source->read(0, source->features(), block);
  for (const FactorKind factor : {FactorKind::kCholesky, FactorKind::kFull}) {
    KernelOptions kernel;
    kernel.factor = factor;
    kernel.missing = one.missing;
    const PermutationJob job = job_of(test::engine_classes(), kernel);
    PermutedScores scores = empty_scores(job);
    EXPECT_THROW(make_permuted_scorer(job)->score(block, 0, kAll, context, scores), Interrupted);
  }
}

TEST(PermutedScorer, ScoresARangeOfFeaturesAndPermutations) {
  const Noise noise = noise_of(60, 50, 2);
  const auto source = noise.table.source(Missing::kError);
  PermutationJob job = job_of(noise.numbers, {});
  const Values all = by_place(score(job, *source, 16));
  job.begin = 4;
  job.end = 9;
  job.first = 10;
  job.last = 33;
  const PermutedScores part = score(job, *source, 16);
  EXPECT_EQ(part.first, 4);
  EXPECT_EQ(part.largest.size(), 5U);
  Values expected = all;
  std::erase_if(expected, [](const auto& value) {
    const auto& [feature, permutation] = value.first;
    return feature < 10 || feature >= 33 || permutation < 4 || permutation >= 9;
  });
  EXPECT_EQ(by_place(part), expected);
}

}  // namespace
}  // namespace land
