// Problems for the path: f and R from small kernel matrices, so that R is a Gram matrix with entries >= 0 as it is for
// real features, with every kind of degenerate feature.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "land/path/pair_oracle.h"

namespace land::testing {

struct Problem {
  std::string name;
  Eigen::VectorXd f;
  Eigen::MatrixXd r;

  std::int64_t size() const { return f.size(); }
};

// A feature is a centred factor G (p x columns), its kernel K = G G^T, here scaled to Frobenius norm 1.
class ProblemBuilder {
 public:
  ProblemBuilder(int p, std::uint64_t seed) : p_(p), random_(seed) {}

  Eigen::MatrixXd gaussian(int columns) {
    Eigen::MatrixXd g(p_, columns);
    for (double& x : g.reshaped()) x = normal_(random_);
    return g;
  }
  double uniform() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_); }

  void add(const Eigen::MatrixXd& g) { factors_.push_back(g / std::sqrt((g.transpose() * g).norm())); }
  void add_random(int columns) { add(gaussian(columns)); }
  // A random feature that shares directions with one of `groups` centres: correlated groups make coefficients drop.
  void add_grouped(std::vector<Eigen::MatrixXd>& centres, double noise) {
    const Eigen::MatrixXd& centre = centres[below(static_cast<std::int64_t>(centres.size()))];
    add(centre + noise * gaussian(static_cast<int>(centre.cols())));
  }
  // The same kernel from other numbers: mirrored, and two columns rotated into each other.
  void add_mirrored_copy(std::int64_t of) {
    Eigen::MatrixXd g = -factors_[of];
    if (g.cols() > 1) {
      const double angle = 6.0 * uniform();
      const Eigen::VectorXd first = g.col(0);
      g.col(0) = std::cos(angle) * first + std::sin(angle) * g.col(1);
      g.col(1) = std::cos(angle) * g.col(1) - std::sin(angle) * first;
    }
    add(g);
  }
  void add_copy(std::int64_t of) { factors_.push_back(Eigen::MatrixXd(factors_[of])); }
  void add_near_copy(std::int64_t of, double noise) {
    add(factors_[of] + noise * gaussian(static_cast<int>(factors_[of].cols())));
  }
  // a K_i + b K_j: exactly in the span of two others.
  void add_combination(std::int64_t i, std::int64_t j, double a, double b) {
    Eigen::MatrixXd g(p_, factors_[i].cols() + factors_[j].cols());
    g << std::sqrt(a) * factors_[i], std::sqrt(b) * factors_[j];
    add(g);
  }
  std::int64_t size() const { return static_cast<std::int64_t>(factors_.size()); }
  const Eigen::MatrixXd& factor(std::int64_t k) const { return factors_[k]; }

  // R_kj = ||G_k^T G_j||^2, f_k = ||G_k^T Y||^2 / ||Y^T Y||. `scales` (empty: 1) makes R_kk differ from 1, as HSIC
  // does.
  Problem build(const std::string& name, const Eigen::MatrixXd& y, std::vector<double> scales = {}) const {
    const auto d = static_cast<Eigen::Index>(factors_.size());
    Problem problem{name, Eigen::VectorXd(d), Eigen::MatrixXd(d, d)};
    scales.resize(d, 1.0);
    for (Eigen::Index k = 0; k < d; ++k) {
      problem.f[k] = scales[k] * (factors_[k].transpose() * y).squaredNorm() / (y.transpose() * y).norm();
      for (Eigen::Index j = 0; j <= k; ++j) {
        problem.r(k, j) = scales[k] * scales[j] * (factors_[k].transpose() * factors_[j]).squaredNorm();
        problem.r(j, k) = problem.r(k, j);
      }
    }
    return problem;
  }

 private:
  int p_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<Eigen::MatrixXd> factors_;
};

// No degenerate features: every event is clear of every other, so an independent solver must agree on all of it.
inline Problem generic_problem(std::uint64_t seed, std::int64_t d, double group_noise, bool hsic) {
  ProblemBuilder builder(16, seed);
  std::vector<Eigen::MatrixXd> centres;
  for (int g = 0; g < 4; ++g) centres.push_back(builder.gaussian(2));
  while (builder.size() < d) {
    if (builder.uniform() < 0.6) {
      builder.add_grouped(centres, group_noise);
    } else {
      builder.add_random(1 + static_cast<int>(builder.below(3)));
    }
  }
  Eigen::MatrixXd y(16, 5);
  y << centres[0], centres[1] * 0.7, builder.gaussian(1);
  std::vector<double> scales;
  for (std::int64_t k = 0; hsic && k < d; ++k) scales.push_back(0.05 + 0.4 * builder.uniform());
  return builder.build("generic", y, scales);
}

// Duplicates, mirrored and near copies (noise 1e-3 .. 1e-9), combinations of two, in random order.
inline Problem degenerate_problem(std::uint64_t seed, std::int64_t d) {
  ProblemBuilder builder(10, seed);
  std::vector<Eigen::MatrixXd> centres;
  for (int g = 0; g < 3; ++g) centres.push_back(builder.gaussian(2));
  for (int k = 0; k < 4; ++k) builder.add_grouped(centres, 0.4);
  while (builder.size() < d) {
    const std::int64_t of = builder.below(builder.size());
    switch (builder.below(6)) {
      case 0:
        builder.add_copy(of);
        break;
      case 1:
        builder.add_mirrored_copy(of);
        break;
      case 2:
        builder.add_near_copy(of, std::pow(10.0, -3.0 - 6.0 * builder.uniform()));
        break;
      case 3:
        // Combinations of combinations would only add columns.
        builder.add_combination(builder.below(4), builder.below(4), builder.uniform(), builder.uniform());
        break;
      case 4:
        builder.add_random(1);
        break;
      default:
        builder.add_grouped(centres, 0.4);
    }
  }
  Eigen::MatrixXd y(10, 5);
  y << centres[0], centres[1], builder.gaussian(1);
  return builder.build("degenerate", y);
}

// More features than the space of kernels has dimensions: most end up parked.
inline Problem collinear_problem(std::uint64_t seed, std::int64_t d) {
  ProblemBuilder builder(3, seed);
  while (builder.size() < d) builder.add_random(1 + static_cast<int>(builder.below(2)));
  return builder.build("collinear", builder.gaussian(3));
}

// Few distinct features, each with many near copies: Schur complements from 1e-16 to 1e-2.
inline Problem near_copy_problem(std::uint64_t seed, std::int64_t d) {
  ProblemBuilder builder(8, seed);
  for (int k = 0; k < 3; ++k) builder.add_random(2);
  while (builder.size() < d) {
    builder.add_near_copy(builder.below(builder.size()), std::pow(10.0, -1.0 - 9.0 * builder.uniform()));
  }
  Eigen::MatrixXd y(8, 7);
  y << builder.factor(0), builder.factor(1), builder.factor(2), 0.3 * builder.gaussian(1);
  return builder.build("near copies", y);
}

// Kernels of binary features on few samples: exact ties of f and of crossings everywhere, and many copies.
inline Problem binary_problem(std::uint64_t seed, std::int64_t d, int samples) {
  ProblemBuilder builder(samples, seed);
  const auto binary = [&] {
    Eigen::MatrixXd g(samples, 1);
    do {
      for (double& x : g.reshaped()) x = builder.uniform() < 0.5 ? 0.0 : 1.0;
      g.array() -= g.mean();
    } while (g.norm() < 0.1);
    return g;
  };
  while (builder.size() < d) builder.add(binary());
  return builder.build("binary", binary());
}

// Blocks that do not see each other, each the same problem: every event happens `blocks` times.
inline Problem block_problem(std::uint64_t seed, std::int64_t blocks) {
  const Problem one = generic_problem(seed, 6, 0.4, false);
  const Eigen::Index n = one.size();
  Problem all{"blocks", Eigen::VectorXd(n * blocks), Eigen::MatrixXd::Zero(n * blocks, n * blocks)};
  for (Eigen::Index b = 0; b < blocks; ++b) {
    all.f.segment(b * n, n) = one.f;
    all.r.block(b * n, b * n, n, n) = one.r;
  }
  return all;
}

}  // namespace land::testing
