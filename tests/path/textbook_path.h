// The path from its definition, by a solver that shares nothing with land/path: dense matrices, every possible event of
// every feature, one decomposition per event. No rules for ties: for problems whose events are apart.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "tests/path/problems.h"

namespace land::testing {

struct TextbookKnot {
  double lambda;
  char event;  // 'e'nter, 'd'rop, end '.'
  std::int64_t feature;
  Eigen::VectorXd alpha;  // of all features
};

inline std::vector<TextbookKnot> textbook_path(const Problem& problem, std::int64_t m, double ridge) {
  const Eigen::Index d = problem.size();
  const Eigen::MatrixXd ridged = problem.r + ridge * Eigen::MatrixXd::Identity(d, d);
  std::vector<TextbookKnot> knots;
  std::vector<bool> active(d, false);
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(d);
  Eigen::Index next = 0;
  double lambda = problem.f.maxCoeff(&next);
  char event = 'e';
  while (true) {
    const std::int64_t size = std::count(active.begin(), active.end(), true);
    if (event == 'e' && size == m) event = '.';
    knots.push_back({lambda, event, next, alpha});
    if (event == '.') return knots;
    active[next] = event == 'e';

    // Falling lambda by s moves alpha_A by s * direction and c by -s * slope; on A, c + rho alpha falls as lambda does.
    std::vector<Eigen::Index> index;
    for (Eigen::Index k = 0; k < d; ++k) {
      if (active[k]) index.push_back(k);
    }
    const Eigen::MatrixXd block = ridged(index, index);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(index.size()));
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(d);
    direction(index) = block.fullPivLu().solve(ones);
    const Eigen::VectorXd c = problem.f - problem.r * alpha;
    const Eigen::VectorXd slope = problem.r * direction;

    const Eigen::Index previous = next;
    double step = lambda;
    event = '.';
    next = -1;
    for (Eigen::Index k = 0; k < d; ++k) {
      double s = step;
      if (active[k]) {
        if (direction[k] < 0) s = alpha[k] / -direction[k];
      } else if (k != previous && slope[k] < 1.0) {
        s = (lambda - c[k]) / (1.0 - slope[k]);
      }
      if (s >= step) continue;
      step = s;
      next = k;
      event = active[k] ? 'd' : 'e';
    }
    lambda -= step;
    alpha += step * direction;
    if (event == 'd') alpha[next] = 0.0;
    if (next < 0) lambda = 0.0;
  }
}

// min over alpha >= 0 of 1/2 alpha^T (R + rho I) alpha - f^T alpha + lambda sum alpha, by coordinate descent.
inline Eigen::VectorXd coordinate_descent(const Problem& problem, double lambda, double ridge) {
  const Eigen::Index d = problem.size();
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(d);
  Eigen::VectorXd c = problem.f;
  for (int sweep = 0; sweep < 200000; ++sweep) {
    double change = 0.0;
    for (Eigen::Index k = 0; k < d; ++k) {
      const double gradient = c[k] - ridge * alpha[k] - lambda;
      const double moved = std::max(0.0, alpha[k] + gradient / (problem.r(k, k) + ridge)) - alpha[k];
      alpha[k] += moved;
      c -= moved * problem.r.col(k);
      change = std::max(change, std::abs(moved) * problem.r(k, k));
    }
    if (change < 1e-15 * problem.f.maxCoeff()) break;
  }
  return alpha;
}

inline double objective(const Problem& problem, const Eigen::VectorXd& alpha, double lambda, double ridge) {
  return 0.5 * alpha.dot(problem.r * alpha) + 0.5 * ridge * alpha.squaredNorm() - problem.f.dot(alpha) +
         lambda * alpha.sum();
}

}  // namespace land::testing
