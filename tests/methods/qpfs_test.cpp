// qpfs: the quadratic programme against projected gradients run to convergence, its conditions of optimality, and the
// matrix of landmarks from its definition.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "land/base/error.h"
#include "land/methods/qpfs/quadratic_form.h"
#include "land/methods/qpfs/simplex_programme.h"
#include "tests/methods/table_kernels.h"
#include "tests/path/problems.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

class DenseSimilarity final : public Similarity {
 public:
  explicit DenseSimilarity(const testing::Problem& problem) : problem_(problem) {}
  void relevance(std::span<const FeatureId> features, std::span<double> out) override {
    for (std::size_t t = 0; t < features.size(); ++t) out[t] = problem_.f[features[t]];
  }
  void block(std::span<const FeatureId> rows, std::span<const FeatureId> columns, std::span<double> out) override {
    std::size_t at = 0;
    for (const FeatureId row : rows) {
      for (const FeatureId column : columns) out[at++] = problem_.r(row, column);
    }
  }

  void diagonal(std::span<const FeatureId> features, std::span<double> out) override {
    for (std::size_t t = 0; t < features.size(); ++t) out[t] = problem_.r(features[t], features[t]);
  }

 private:
  const testing::Problem& problem_;
};

std::vector<FeatureId> all_of(const testing::Problem& problem) {
  std::vector<FeatureId> features;
  for (FeatureId k = 0; k < problem.size(); ++k) features.push_back(k);
  return features;
}

// The nearest point of the simplex, by sorting.
Eigen::VectorXd on_simplex(const Eigen::VectorXd& x) {
  std::vector<double> sorted(x.begin(), x.end());
  std::sort(sorted.rbegin(), sorted.rend());
  double sum = 0.0;
  double shift = 0.0;
  for (std::size_t t = 0; t < sorted.size(); ++t) {
    sum += sorted[t];
    const double candidate = (sum - 1.0) / static_cast<double>(t + 1);
    if (sorted[t] > candidate) shift = candidate;
  }
  return (x.array() - shift).max(0.0);
}

double objective(const Eigen::MatrixXd& q, const Eigen::VectorXd& f, double alpha, const Eigen::VectorXd& x) {
  return 0.5 * (1.0 - alpha) * x.dot(q * x) - alpha * f.dot(x);
}

// Nesterov's projected gradients, started again whenever the objective rises.
Eigen::VectorXd projected_gradients(const Eigen::MatrixXd& q, const Eigen::VectorXd& f, double alpha) {
  const double step = 1.0 / ((1.0 - alpha) * q.operatorNorm());
  Eigen::VectorXd x = Eigen::VectorXd::Constant(f.size(), 1.0 / static_cast<double>(f.size()));
  Eigen::VectorXd ahead = x;
  double t = 1.0;
  for (int iteration = 0; iteration < 20'000; ++iteration) {
    const Eigen::VectorXd g = (1.0 - alpha) * (q * ahead) - alpha * f;
    const Eigen::VectorXd next = on_simplex(ahead - step * g);
    const double later = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    const bool rises = objective(q, f, alpha, next) > objective(q, f, alpha, x);
    ahead = rises ? x : Eigen::VectorXd(next + (t - 1.0) / later * (next - x));
    t = rises ? 1.0 : later;
    if (!rises) x = next;
  }
  return x;
}

void expect_optimal(const testing::Problem& problem, double alpha, std::uint64_t seed) {
  DenseSimilarity similarity(problem);
  WorkerPool pool(2);
  const auto form = make_full_form(all_of(problem), similarity, pool, Context());
  const std::vector<double> f(problem.f.begin(), problem.f.end());
  const ProgrammeSolution solution = solve_programme(*form, f, alpha, [](double) {});
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(solution.weights.data(), problem.size());
  const std::string name = problem.name + " " + std::to_string(seed) + ", alpha " + std::to_string(alpha);
  EXPECT_NEAR(x.sum(), 1.0, 1e-12) << name;
  EXPECT_GE(x.minCoeff(), 0.0) << name;
  EXPECT_LE(solution.gap, kProgrammeGap) << name;
  EXPECT_NEAR(form->mean(), problem.r.mean(), 1e-12);

  // Where there is weight the gradient is the lowest.
  const Eigen::VectorXd g = (1.0 - alpha) * (problem.r * x) - alpha * problem.f;
  const double scale = 0.5 * (1.0 - alpha) * x.dot(problem.r * x) + alpha * problem.f.dot(x);
  EXPECT_LE(x.dot(g) - g.minCoeff(), 1.1e-10 * scale + 1e-15) << name;
  const double expected = objective(problem.r, problem.f, alpha, projected_gradients(problem.r, problem.f, alpha));
  EXPECT_NEAR(solution.objective, expected, 1e-7 * scale) << name;
  EXPECT_LE(solution.objective, expected + 1.1e-10 * scale) << name;
}

TEST(Qpfs, SolvesTheProgramme) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double alpha : {0.0, 0.3, 0.8}) {
      expect_optimal(testing::generic_problem(seed, 60, 0.4, seed % 2 == 0), alpha, seed);
      expect_optimal(testing::degenerate_problem(seed, 40), alpha, seed);
      expect_optimal(testing::collinear_problem(seed, 40), alpha, seed);
      expect_optimal(testing::near_copy_problem(seed, 30), alpha, seed);
      expect_optimal(testing::binary_problem(seed, 50, 7), alpha, seed);
    }
  }
}

// A well-conditioned one, of more features than join at a time, has but one solution.
TEST(Qpfs, FindsTheWeights) {
  testing::Problem problem = testing::generic_problem(9, 300, 0.6, false);
  problem.r.diagonal().array() += 0.2;
  DenseSimilarity similarity(problem);
  WorkerPool pool(1);
  const auto form = make_full_form(all_of(problem), similarity, pool, Context());
  const std::vector<double> f(problem.f.begin(), problem.f.end());
  const ProgrammeSolution solution = solve_programme(*form, f, 0.4, [](double) {});
  const Eigen::VectorXd expected = projected_gradients(problem.r, problem.f, 0.4);
  for (Eigen::Index k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(solution.weights[static_cast<std::size_t>(k)], expected[k], 1e-6);
  }
}

TEST(Qpfs, LandmarksAreNystroms) {
  const testing::Problem problem = testing::generic_problem(11, 150, 0.3, false);
  DenseSimilarity similarity(problem);
  WorkerPool pool(2);
  const std::vector<FeatureId> features = all_of(problem);
  std::vector<std::int64_t> positions(features.begin(), features.end());
  for (const std::int64_t landmarks : {1, 20, 150, 1000}) {
    const auto form = make_landmark_form(features, landmarks, similarity, pool, Context());
    Eigen::MatrixXd q(150, 150);
    form->among(positions, {q.data(), static_cast<std::size_t>(q.size())});
    // Exact on the diagonal and in the rows of landmarks.
    EXPECT_LT((problem.r - q).diagonal().cwiseAbs().maxCoeff(), 1e-12);
    const Eigen::MatrixXd apart = (problem.r - q).cwiseAbs();
    std::vector<Eigen::Index> drawn;
    for (Eigen::Index k = 0; k < 150; ++k) {
      if (apart.row(k).maxCoeff() < 1e-6) drawn.push_back(k);
    }
    EXPECT_GE(std::ssize(drawn), std::min<std::int64_t>(landmarks, 150));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> own(q);
    EXPECT_GT(own.eigenvalues().minCoeff(), -1e-10);
    if (std::ssize(drawn) == landmarks) {
      Eigen::MatrixXd expected = problem.r(Eigen::all, drawn) *
                                 problem.r(drawn, drawn).completeOrthogonalDecomposition().pseudoInverse() *
                                 problem.r(drawn, Eigen::all);
      expected.diagonal() = problem.r.diagonal();
      EXPECT_LT((q - expected).cwiseAbs().maxCoeff(), 1e-5);
    }
    EXPECT_LT(landmarks >= 150 ? (problem.r - q).cwiseAbs().maxCoeff() : 0.0, 1e-6);
    EXPECT_NEAR(form->mean(), q.mean(), 1e-12);
    Eigen::VectorXd product(150);
    const std::vector<std::int64_t> some = {3, 77, 149};
    const std::vector<double> weights = {0.2, 0.5, 0.3};
    form->multiply(some, weights, {product.data(), 150});
    EXPECT_LT((product - 0.2 * q.col(3) - 0.5 * q.col(77) - 0.3 * q.col(149)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

SelectOptions qpfs(const test::EngineTable& table, std::int64_t landmarks) {
  SelectOptions options;
  options.method = "qpfs";
  options.features = 500;
  options.landmarks = landmarks;
  options.kernel.missing = table.missing;
  return options;
}

double figure(const Result& result, const std::string& name) {
  for (const auto& [key, value] : result.figures) {
    if (key == name) return value;
  }
  ADD_FAILURE() << name;
  return 0.0;
}

// On tables of every kind: optimal for f and R of full kernel matrices.
TEST(Qpfs, IsOptimalOnEveryTable) {
  for (const test::EngineTable& one : test::engine_tables()) {
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const test::TableNhsic oracle = test::nhsic_of_table(one.table, target, one.missing);
      Context context;
      context.threads = 2;
      const Result result = test::both::select(one.table, target, qpfs(one, 0), context);
      const auto used = static_cast<double>((oracle.f.array() >= 0.0).count());
      ASSERT_EQ(std::ssize(result.selected), static_cast<std::int64_t>(used));
      const double mean_f = oracle.f.cwiseMax(0.0).sum() / used;
      const double mean_q = oracle.r.sum() / (used * used);
      const double alpha = mean_q / (mean_q + mean_f);
      EXPECT_NEAR(figure(result, "alpha"), alpha, 1e-6);
      EXPECT_LE(figure(result, "gap"), kProgrammeGap);
      Eigen::VectorXd x = Eigen::VectorXd::Zero(oracle.f.size());
      double before = 1.0;
      for (const SelectedFeature& feature : result.selected) {
        EXPECT_GE(before, *feature.score);
        before = x[feature.index] = *feature.score;
      }
      Eigen::VectorXd g = (1.0 - alpha) * (oracle.r * x) - alpha * oracle.f;
      for (Eigen::Index k = 0; k < g.size(); ++k) g[k] = oracle.f[k] < 0.0 ? 1.0 : g[k];
      EXPECT_NEAR(x.sum(), 1.0, 1e-12);
      EXPECT_LE(x.dot(g) - g.minCoeff(), 1e-6) << one.name;
    }
  }
}

TEST(Qpfs, SameForAnyThreadsWithLandmarks) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SelectOptions options = qpfs(one, 12);
    options.features = 20;
    Context context;
    const std::string expected =
        test::json_without_times(test::both::select(one.table, test::engine_classes(), options, context));
    context.threads = 3;
    EXPECT_EQ(test::json_without_times(test::local::select(one.table, test::engine_classes(), options, context)),
              expected);
  }
}

TEST(Qpfs, RefusesAMatrixThatDoesNotFit) {
  const Table table = test::table_of_floats(test::engine_columns(6000, 0.0));
  SelectOptions options;
  options.method = "qpfs";
  Context context;
  context.memory = std::int64_t{200} << 20U;
  try {
    test::local::select(table, test::engine_classes(), options, context);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("6000 x 6000 matrix"), std::string::npos) << error.what();
  }
  options.landmarks = 5000;
  EXPECT_THROW(test::local::select(table, test::engine_classes(), options, context), InputError);
}

}  // namespace
}  // namespace land
