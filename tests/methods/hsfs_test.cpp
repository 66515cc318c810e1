// hsfs: HSIC of weighted features from its definition, its gradient by finite differences, minima in boxes that are
// known, and features that were planted.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "land/base/error.h"
#include "land/engine/local_run.h"
#include "land/methods/hsfs/box_minimiser.h"
#include "land/methods/hsfs/weighted_hsic.h"
#include "tests/methods/set_distances.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

TEST(BoxMinimiser, SolvesQuadraticProgrammes) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 40; ++trial) {
    const Eigen::Index d = 2 + trial;
    Eigen::MatrixXd root(d, d + 3);
    for (double& x : root.reshaped()) x = normal(random);
    const Eigen::MatrixXd h = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(d, d);
    Eigen::VectorXd linear(d);
    for (double& x : linear) x = static_cast<double>(d) * normal(random);
    const SmoothFunction function = [&](std::span<const double> at, std::span<double> gradient) {
      const Eigen::Map<const Eigen::VectorXd> x(at.data(), d);
      const Eigen::VectorXd product = h * x;
      Eigen::Map<Eigen::VectorXd>(gradient.data(), d) = product + linear;
      return 0.5 * x.dot(product) + linear.dot(x);
    };
    BoxOptions options;
    options.violation = 1e-9;
    options.progress = 0.0;
    options.steps = 2000;
    const BoxMinimum found = minimise_in_box(function, std::vector<double>(static_cast<std::size_t>(d), 0.3), options);
    EXPECT_LT(found.violation, 1e-5) << d;
    for (const double x : found.x) {
      EXPECT_GE(x, 0.0);
      EXPECT_LE(x, 1.0);
    }
  }
}

TEST(BoxMinimiser, FindsKnownMinima) {
  // Rosenbrock's valley: (1, 1), or with x <= 0.5 (0.5, 0.25).
  const SmoothFunction valley = [](std::span<const double> x, std::span<double> g) {
    const double a = 1.0 - x[0];
    const double b = x[1] - x[0] * x[0];
    g[0] = -2.0 * a - 400.0 * x[0] * b;
    g[1] = 200.0 * b;
    return a * a + 100.0 * b * b;
  };
  for (const auto& [high, first, second] : {std::tuple{2.0, 1.0, 1.0}, std::tuple{0.5, 0.5, 0.25}}) {
    BoxOptions options;
    options.low = -2.0;
    options.high = high;
    options.violation = 1e-9;
    options.progress = 0.0;
    options.steps = 1000;
    const BoxMinimum found = minimise_in_box(valley, {-1.2, 0.4}, options);
    EXPECT_NEAR(found.x[0], first, 1e-6);
    EXPECT_NEAR(found.x[1], second, 1e-6);
  }
}

TEST(Hsfs, HsicIsThatOfTheDefinition) {
  for (const test::EngineTable& one : test::engine_tables()) {
    const Target target = test::engine_numbers();
    SelectOptions options;
    options.features = 7;
    options.kernel.missing = one.missing;
    options.kernel.sigma = {1.3};
    Context context;
    context.threads = 2;
    LocalRun run(one.table, one.missing, 0, context);
    const std::vector<Eigen::MatrixXd> distances = test::set_distances_of_table(one.table, one.missing);
    std::vector<double> bounds;
    for (const Eigen::MatrixXd& matrix : distances) bounds.push_back(matrix.size() > 0 ? 0.0 : -1.0);
    const Setting setting{options, context, run.engine, run.pool, target, std::int64_t{1} << 30U, bounds, {}};
    const SetPoints points(setting);
    WeightedHsic hsic(setting, points);
    const auto d = static_cast<std::size_t>(points.count());

    std::mt19937_64 random(19);
    std::vector<double> weights;
    for (std::size_t k = 0; k < d; ++k) weights.push_back(k % 4 == 1 ? 0.0 : 0.3 * static_cast<double>(random() % 7));
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(points.samples(), points.samples());
    for (std::size_t k = 0; k < d; ++k) {
      const auto id = static_cast<std::size_t>(points.id(static_cast<std::int64_t>(k)));
      sum += weights[k] * weights[k] * distances[id];
    }
    std::vector<double> gradient(d);
    const double value = hsic.evaluate(weights, gradient);
    const double wanted = static_cast<double>(std::min<std::size_t>(7, d));
    EXPECT_NEAR(value, test::hsic_of_distances(sum, 1.69 * wanted, test::gaussian(target.values, 1.3)), 1e-14)
        << one.name;

    const std::vector<double> slopes = hsic.slopes(weights);
    for (std::size_t k = 0; k < d; ++k) EXPECT_NEAR(gradient[k], 2.0 * weights[k] * slopes[k], 1e-15);
    std::vector<double> unweighted = weights;
    std::vector<double> ignored(d);
    if (d > 1) {
      unweighted[1] = 1e-3;
      EXPECT_NEAR(slopes[1], (hsic.evaluate(unweighted, ignored) - value) / 1e-6, 1e-6) << one.name;
    }
    for (std::size_t k = 0; k < d; k += 5) {
      constexpr double kStep = 1e-4;
      std::vector<double> moved = weights;
      moved[k] += kStep;
      const double above = hsic.evaluate(moved, ignored);
      moved[k] -= 2.0 * kStep;
      const double below = hsic.evaluate(moved, ignored);
      EXPECT_NEAR(gradient[k], (above - below) / (2.0 * kStep), 1e-9) << one.name << " " << k;
    }
  }
}

SelectOptions hsfs(std::int64_t wanted, Missing missing) {
  SelectOptions options;
  options.method = "hsfs";
  options.features = wanted;
  options.kernel.missing = missing;
  return options;
}

std::vector<std::vector<double>> normal_columns(std::size_t features, std::size_t samples,
                                                std::normal_distribution<double>& normal, std::mt19937_64& random) {
  std::vector<std::vector<double>> columns(features, std::vector<double>(samples));
  for (auto& column : columns) {
    for (double& x : column) x = normal(random);
  }
  return columns;
}

std::vector<std::int64_t> sorted_indices(const Result& result) {
  std::vector<std::int64_t> found;
  for (const SelectedFeature& feature : result.selected) found.push_back(feature.index);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Hsfs, FindsWhatWasPlanted) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const std::vector<std::vector<double>> columns = normal_columns(40, 150, normal, random);
    std::vector<double> y;
    for (std::size_t i = 0; i < 150; ++i) {
      y.push_back(1.4 * std::tanh(2.0 * columns[5][i]) + 0.8 * columns[17][i] * columns[17][i] + 1.2 * columns[30][i] +
                  0.1 * normal(random));
    }
    const Result result = test::local::select(test::table_of_columns(columns), test::numeric_target(y),
                                              hsfs(3, Missing::kError), Context());
    EXPECT_EQ(sorted_indices(result), (std::vector<std::int64_t>{5, 17, 30})) << seed;
  }
}

// Features that say nothing alone, only together.
TEST(Hsfs, FindsAProduct) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const std::vector<std::vector<double>> columns = normal_columns(10, 200, normal, random);
    std::vector<int> labels;
    for (std::size_t i = 0; i < 200; ++i) labels.push_back(columns[3][i] * columns[8][i] > 0.0 ? 1 : 0);
    const Result result = test::local::select(test::table_of_columns(columns), test::class_target(labels, 2),
                                              hsfs(2, Missing::kError), Context());
    EXPECT_EQ(sorted_indices(result), (std::vector<std::int64_t>{3, 8})) << seed;
  }
}

TEST(Hsfs, SameForAnyThreadsAndEngines) {
  for (const test::EngineTable& one : test::engine_tables()) {
    Context context;
    const Result result = test::both::select(one.table, test::engine_classes(), hsfs(8, one.missing), context);
    EXPECT_EQ(std::ssize(result.selected),
              std::min<std::int64_t>(8, result.data.features - result.data.constant_features));
    double before = 1.0;
    for (const SelectedFeature& feature : result.selected) {
      EXPECT_GE(before, *feature.score);
      EXPECT_GE(*feature.score, 0.0);
      before = *feature.score;
    }
    context.threads = 3;
    EXPECT_EQ(
        test::json_without_times(test::local::select(one.table, test::engine_classes(), hsfs(8, one.missing), context)),
        test::json_without_times(result));
  }
}

}  // namespace
}  // namespace land
