// conditional: the choice of a plain loop over full kernel matrices.
#include "land/methods/conditional/conditional.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "land/base/error.h"
#include "land/methods/conditional/residual_target.h"
#include "tests/methods/table_kernels.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/kernels.h"

namespace land {
namespace {

using Matrices = std::vector<Eigen::MatrixXd>;

// M K_T M with M = (I + n/200 sum of the kernels chosen)^-1, K_T of norm 1.
Eigen::MatrixXd what_is_left(const Eigen::MatrixXd& target, const Matrices& kernels,
                             const std::vector<std::int64_t>& chosen) {
  const Eigen::Index n = target.rows();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(n, n);
  for (const std::int64_t k : chosen) sum += static_cast<double>(n) / 200.0 * kernels[static_cast<std::size_t>(k)];
  const Eigen::MatrixXd inverse = sum.inverse();
  return inverse * target * inverse / target.norm();
}

double inner(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return a.cwiseProduct(b).sum(); }

// Neither constant nor equal to an earlier one, up to shift, scale and sign.
std::vector<bool> distinct(const Matrices& kernels) {
  std::vector<bool> result;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    bool is_new = kernels[k].size() > 0;
    for (std::size_t j = 0; j < k && is_new; ++j) {
      is_new = kernels[j].size() == 0 || inner(kernels[j], kernels[k]) < 1.0 - 1e-12;
    }
    result.push_back(is_new);
  }
  return result;
}

TEST(Conditional, ChoosesTheBestOfEveryTable) {
  for (const test::EngineTable& one : test::engine_tables()) {
    const Matrices kernels = test::kernels_of_table(one.table, one.missing);
    const std::vector<bool> is_distinct = distinct(kernels);
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const Eigen::MatrixXd y = test::kernel_of_target(target);
      SelectOptions options;
      options.method = "conditional";
      options.features = 12;
      options.kernel.missing = one.missing;
      Context context;
      context.threads = 2;
      const Result result = test::both::select(one.table, target, options, context);
      ASSERT_EQ(std::ssize(result.selected), std::min<std::int64_t>(12, std::ranges::count(is_distinct, true)));
      std::vector<std::int64_t> chosen;
      for (std::size_t t = 0; t < result.selected.size(); ++t) {
        const SelectedFeature& feature = result.selected[t];
        const Eigen::MatrixXd left = what_is_left(y, kernels, chosen);
        const double score = inner(kernels[static_cast<std::size_t>(feature.index)], left);
        EXPECT_TRUE(is_distinct[static_cast<std::size_t>(feature.index)]) << one.name;
        EXPECT_FALSE(std::ranges::count(chosen, feature.index)) << one.name;
        EXPECT_NEAR(*feature.score, score, 2e-6) << one.name;
        EXPECT_NEAR(feature.relevance, inner(kernels[static_cast<std::size_t>(feature.index)], y) / y.norm(), 2e-6);
        for (std::size_t k = 0; k < kernels.size(); ++k) {
          if (!is_distinct[k] || std::ranges::count(chosen, static_cast<std::int64_t>(k))) continue;
          EXPECT_GE(score, inner(kernels[k], left) - 2e-6) << one.name << ", step " << t << ", feature " << k;
        }
        chosen.push_back(feature.index);
      }
      Result same = result;
      same.options.block_size = options.block_size = 16;
      context.threads = 1;
      EXPECT_EQ(test::json_without_times(test::local::select(one.table, target, options, context)),
                test::json_without_times(same));
    }
  }
}

// y is s; of s + c and c alone one tells little and the other nothing.
Table suppressor_table(int n, Target& target) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> columns(40, std::vector<double>(static_cast<std::size_t>(n)));
  std::vector<double> y;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    for (std::vector<double>& column : columns) column[i] = normal(random);
    y.push_back(columns[30][i]);
    columns[30][i] += 1.5 * columns[31][i];
  }
  target = test::numeric_target(y);
  return test::table_of_floats(columns);
}

TEST(Conditional, FindsAFeatureThatHelpsOnlyBesideAnother) {
  Target target;
  const Table table = suppressor_table(600, target);
  SelectOptions options;
  options.features = 2;
  const auto second = [&](const char* method) {
    options.method = method;
    const Result result = test::local::select(table, target, options, {});
    EXPECT_EQ(result.selected.at(0).index, 30) << method;
    return result.selected.at(1).index;
  };
  EXPECT_EQ(second("conditional"), 31);
  EXPECT_NE(second("land"), 31);
}

TEST(ResidualTarget, IsThatOfFullMatrices) {
  for (const int n : {20, 302}) {
    const test::Columns columns = test::sample_columns(n, 3);
    const std::vector<double>& y = columns.at("normal");
    const Eigen::MatrixXd kernel = test::gaussian(y) / test::gaussian(y).norm();
    const double ridge = 200.0 / n;
    ResidualTarget target(test::make_factor(test::numeric_target(y), {}), ridge);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(n, n);
    for (const char* name : {"student", "lognormal", "normal", "student"}) {
      const std::vector<double>& x = columns.at(name);
      target.take_out(test::make_factor(test::numeric_target(x), {}));
      sum += test::gaussian(x) / test::gaussian(x).norm() / ridge;
      const Eigen::MatrixXd expected = sum.inverse() * kernel * sum.inverse();
      const Factor& left = *target.left();
      Eigen::MatrixXd f(n, left.columns);
      for (Eigen::Index i = 0; i < n; ++i) {
        for (Eigen::Index a = 0; a < f.cols(); ++a) f(i, a) = left.stored.at(i, a);
      }
      EXPECT_LT((left.scale * f * f.transpose() - expected).norm(), 2e-6) << name << ", " << n;
      EXPECT_NEAR(left.norm, (f * f.transpose()).norm(), 1e-12 * left.norm);
    }
  }
}

TEST(Conditional, SaysWhatItIsNotMadeFor) {
  Target target;
  const Table table = suppressor_table(60, target);
  SelectOptions options;
  options.method = "conditional";
  const auto message = [&](const Context& context = {}) -> std::string {
    try {
      test::local::select(table, target, options, context);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  options.kernel.family = KernelFamily::kLaplace;
  EXPECT_THAT(message(), testing::HasSubstr("a kernel that has factors is needed"));
  options.kernel = {};
  options.kernel.factor = FactorKind::kFull;
  EXPECT_THAT(message(), testing::HasSubstr("goes by factors"));
  options.kernel = {};
  options.features = 100'000'000'000;
  EXPECT_THAT(message(), testing::HasSubstr("choose fewer"));
}

}  // namespace
}  // namespace land
