// fohsic and bahsic against plain loops over features and pairs of samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "land/base/error.h"
#include "land/base/resident_memory.h"
#include "land/base/simd_target.h"
#include "land/methods/chosen.h"
#include "land/methods/hsic_sets/pair_rows.h"
#include "tests/methods/set_distances.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

constexpr double kSigma = 0.8;

struct Sets {
  Sets(const Table& table, const Target& to, Missing missing)
      : distances(test::set_distances_of_table(table, missing)), target(test::kernel_of_target(to)) {
    if (!to.has_classes()) target = test::gaussian(to.values, kSigma);
    for (std::size_t k = 0; k < distances.size(); ++k) {
      if (distances[k].size() > 0) features.push_back(static_cast<FeatureId>(k));
    }
  }

  double hsic(const std::vector<FeatureId>& set) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(target.rows(), target.rows());
    for (const FeatureId k : set) sum += distances[static_cast<std::size_t>(k)];
    return test::hsic_of_distances(sum, kSigma * kSigma * static_cast<double>(std::max<std::size_t>(set.size(), 1)),
                                   target);
  }

  std::vector<Eigen::MatrixXd> distances;
  Eigen::MatrixXd target;
  std::vector<FeatureId> features;
};

std::vector<Chosen> forward(const Sets& sets, std::size_t wanted) {
  std::vector<FeatureId> set;
  std::vector<Chosen> chosen;
  while (set.size() < std::min(wanted, sets.features.size())) {
    std::vector<double> values;
    for (const FeatureId k : sets.features) {
      std::vector<FeatureId> with = set;
      with.push_back(k);
      const bool in = std::find(set.begin(), set.end(), k) != set.end();
      values.push_back(in ? -1.0 : sets.hsic(with));
    }
    const double best = *std::max_element(values.begin(), values.end());
    std::size_t at = 0;
    while (values[at] < best * (1.0 - 1e-12)) ++at;
    set.push_back(sets.features[at]);
    chosen.push_back({sets.features[at], values[at]});
  }
  return chosen;
}

std::vector<Chosen> backward(const Sets& sets) {
  std::vector<FeatureId> left = sets.features;
  std::vector<Chosen> removed;
  while (!left.empty()) {
    const double all = sets.hsic(left);
    std::vector<std::pair<double, FeatureId>> without;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(sets.target.rows(), sets.target.rows());
    for (const FeatureId k : left) sum += sets.distances[static_cast<std::size_t>(k)];
    for (const FeatureId k : left) {
      const double size = std::max<double>(1.0, static_cast<double>(left.size()) - 1.0);
      without.emplace_back(test::hsic_of_distances(sum - sets.distances[static_cast<std::size_t>(k)],
                                                   kSigma * kSigma * size, sets.target),
                           k);
    }
    // Those to go first, ties the highest index first.
    std::sort(without.begin(), without.end(), std::greater<>());
    for (std::size_t t = 1; t < without.size(); ++t) {
      for (std::size_t s = t; s > 0; --s) {
        const bool tied = std::abs(without[s].first - without[s - 1].first) <= 1e-12 * std::abs(without[s].first);
        if (!tied || without[s].second < without[s - 1].second) break;
        std::swap(without[s], without[s - 1]);
      }
    }
    const std::size_t count = std::max<std::size_t>(1, left.size() / 10);
    for (std::size_t t = 0; t < count; ++t) {
      removed.push_back({without[t].second, all});
      std::erase(left, without[t].second);
    }
  }
  std::reverse(removed.begin(), removed.end());
  return removed;
}

Result choose(const test::EngineTable& one, const Target& target, const std::string& method, std::int64_t wanted,
              int threads) {
  SelectOptions options;
  options.method = method;
  options.features = wanted;
  options.kernel.missing = one.missing;
  options.kernel.sigma = {kSigma};
  Context context;
  context.threads = threads;
  const Result result = test::both::select(one.table, target, options, context);
  context.threads = 3;
  EXPECT_EQ(test::json_without_times(test::local::select(one.table, target, options, context)),
            test::json_without_times(result));
  return result;
}

void expect_chosen(const Result& result, const std::vector<Chosen>& expected, const std::string& name) {
  ASSERT_EQ(result.selected.size(), expected.size()) << name;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    ASSERT_EQ(result.selected[t].index, expected[t].feature) << name << ", " << t;
    EXPECT_NEAR(*result.selected[t].score, expected[t].score, 1e-12) << name << ", " << t;
  }
}

TEST(HsicSets, ForwardAddsTheBest) {
  for (const test::EngineTable& one : test::engine_tables()) {
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const std::vector<Chosen> expected = forward(Sets(one.table, target, one.missing), 6);
      expect_chosen(choose(one, target, "fohsic", 6, 2), expected, one.name);
    }
  }
}

TEST(HsicSets, BackwardRemovesTheWorst) {
  for (const test::EngineTable& one : test::engine_tables()) {
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      std::vector<Chosen> expected = backward(Sets(one.table, target, one.missing));
      const std::int64_t wanted = std::min<std::int64_t>(40, std::ssize(expected));
      expected.resize(static_cast<std::size_t>(wanted));
      expect_chosen(choose(one, target, "bahsic", wanted, 1), expected, one.name);
    }
  }
}

TEST(HsicSets, InstructionSetsAgree) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::int64_t n : {4, 7, 8, 9, 33, 70}) {
    const PairRows rows(n);
    AlignedBuffer<double> distances(rows.size());
    AlignedBuffer<double> weights(rows.size());
    AlignedBuffer<double> values(static_cast<std::size_t>(padded(n)));
    distances.assign(rows.size(), 0.0);
    weights.assign(rows.size(), 0.0);
    values.assign(values.size(), 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      values[static_cast<std::size_t>(i)] = std::round(2.0 * normal(random));
      for (std::int64_t j = 0; j < i; ++j) weights[rows.at(i, j)] = normal(random);
      for (std::int64_t j = 0; j < i; ++j) distances[rows.at(i, j)] = std::abs(normal(random));
    }
    for (const double apart : {0.0, 2.5}) {
      double expected = 0.0;
      double alone = 0.0;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < i; ++j) {
          const double x = values[static_cast<std::size_t>(i)] - values[static_cast<std::size_t>(j)];
          const double own = apart > 0.0 ? (x == 0.0 ? 0.0 : apart) : x * x;
          expected += weights[rows.at(i, j)] * std::exp(-0.3 * (distances[rows.at(i, j)] - own));
          alone += weights[rows.at(i, j)] * std::exp(-0.3 * distances[rows.at(i, j)]);
        }
      }
      for (const std::string& target : simd_targets()) {
        use_simd_target(target);
        const std::span<const double> all(distances.data(), distances.size());
        const std::span<const double> by(weights.data(), weights.size());
        const double scale = 1e-13 * (1.0 + std::abs(expected));
        EXPECT_NEAR(sum_kernel(rows, all, by, {values.data(), apart}, -1.0, 0.3), expected, 100.0 * scale) << target;
        EXPECT_NEAR(sum_kernel(rows, all, by, 0.3), alone, 1e-12) << target;
        AlignedBuffer<double> more = distances;
        add_distances(rows, {values.data(), apart}, -1.0, {more.data(), more.size()});
        EXPECT_NEAR(sum_kernel(rows, {more.data(), more.size()}, by, 0.3), expected, 100.0 * scale) << target;
      }
      use_simd_target("");
    }
  }
}

std::string refusal(const Table& table, const std::string& method, std::int64_t wanted, std::int64_t memory) {
  SelectOptions options;
  options.method = method;
  options.features = wanted;
  Context context;
  context.memory = memory;
  try {
    test::local::select(table, test::engine_classes(), options, context);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(HsicSets, RefusesWhatTakesForever) {
  const Table table = test::table_of_floats(test::engine_columns(7000, 0.0));
  EXPECT_NE(refusal(table, "fohsic", 10'000, 0).find("7000 features x 70 samples take about 1.2e+11 operations"),
            std::string::npos);
}

TEST(HsicSets, RefusesWhatDoesNotFit) {
  const Table table = test::table_of_floats(test::engine_columns(60'000, 0.0));
  for (const std::string method : {"fohsic", "bahsic", "hsfs"}) {
    // Enough for scores, and not for the set: besides what the test takes, which is much with sanitizers.
    const std::int64_t memory = resident_memory().all + (std::int64_t{48} << 20U);
    const std::string message = refusal(table, method, 5, memory);
    EXPECT_NE(message.find("60000 features x 70 samples take"), std::string::npos) << method << message;
  }
}

}  // namespace
}  // namespace land
