#include "land/methods/linear/group_solver.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace land {
namespace {

constexpr double kAccuracy = 1e-14;    // of the conditions of optimality, relative to the scale: what is aimed at
constexpr double kGoodEnough = 1e-11;  // what is taken if rounding allows no better
constexpr int kMostRounds = 2000;
constexpr int kSweeps = 3;              // between two attempts of Newton's method
constexpr int kHalvings = 4;            // of a step of it
constexpr double kNewtonRidge = 1e-13;  // keeps its matrix positive where features are collinear

double norm(std::span<const double> row) {
  double squares = 0.0;
  for (const double value : row) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace

void GroupSolver::append(std::span<const double> gram_row, double diagonal, std::span<const double> f) {
  for (std::size_t i = 0; i < size(); ++i) gram_[i].push_back(gram_row[i]);
  gram_.emplace_back(gram_row.begin(), gram_row.end()).push_back(diagonal);
  f_.emplace_back(f.begin(), f.end());
}

void GroupSolver::remove(std::size_t position) {
  const auto at = static_cast<std::ptrdiff_t>(position);
  gram_.erase(gram_.begin() + at);
  for (std::vector<double>& row : gram_) row.erase(row.begin() + at);
  f_.erase(f_.begin() + at);
}

std::vector<double> GroupSolver::gradient_without(std::size_t position, std::span<const double> rows) const {
  std::vector<double> s = f_[position];
  for (std::size_t j = 0; j < size(); ++j) {
    if (j == position) continue;
    const double g = gram_[position][j];
    for (std::size_t c = 0; c < columns_; ++c) s[c] -= g * rows[j * columns_ + c];
  }
  return s;
}

double GroupSolver::slack(std::size_t position, double lambda, std::span<const double> rows) const {
  return lambda - norm(gradient_without(position, rows));
}

void GroupSolver::sweep(double lambda, std::span<double> rows) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::vector<double> s = gradient_without(i, rows);
    const double shrink = std::max(0.0, 1.0 - lambda / norm(s)) / gram_[i][i];
    for (std::size_t c = 0; c < columns_; ++c) rows[i * columns_ + c] = shrink > 0.0 ? shrink * s[c] : 0.0;
  }
}

double GroupSolver::violation(double lambda, std::span<const double> rows) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    std::vector<double> c = gradient_without(i, rows);
    const std::span<const double> row = rows.subspan(i * columns_, columns_);
    const double length = norm(row);
    if (length == 0.0) {
      worst = std::max(worst, norm(c) - lambda);
      continue;
    }
    for (std::size_t r = 0; r < columns_; ++r) c[r] -= (gram_[i][i] + lambda / length) * row[r];
    worst = std::max(worst, norm(c));
  }
  return worst;
}

// Over the rows that are not zero: H = G x I + lambda / ||B_i|| (I - b b') on the diagonal, b = B_i / ||B_i||.
bool GroupSolver::newton(double lambda, double violation_before, std::vector<double>& rows) const {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < size(); ++i) {
    if (norm(std::span(rows).subspan(i * columns_, columns_)) > 0.0) used.push_back(i);
  }
  const auto width = static_cast<Eigen::Index>(columns_);
  const auto count = static_cast<Eigen::Index>(used.size()) * width;
  if (count == 0) return false;
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd minus_gradient(count);
  for (std::size_t a = 0; a < used.size(); ++a) {
    const Eigen::Index at = static_cast<Eigen::Index>(a) * width;
    for (std::size_t b = 0; b < used.size(); ++b) {
      hessian.block(at, static_cast<Eigen::Index>(b) * width, width, width)
          .diagonal()
          .setConstant(gram_[used[a]][used[b]]);
    }
    const Eigen::Map<const Eigen::VectorXd> row(rows.data() + used[a] * columns_, width);
    const double length = row.norm();
    const Eigen::VectorXd unit = row / length;
    const std::vector<double> s = gradient_without(used[a], rows);
    minus_gradient.segment(at, width) =
        Eigen::Map<const Eigen::VectorXd>(s.data(), width) - gram_[used[a]][used[a]] * row - lambda * unit;
    auto block = hessian.block(at, at, width, width);
    block -= lambda / length * unit * unit.transpose();
    block.diagonal().array() += lambda / length + kNewtonRidge;
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(hessian);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::VectorXd step = factor.solve(minus_gradient);
  double part = 1.0;
  for (int halving = 0; halving <= kHalvings; ++halving, part /= 2.0) {
    std::vector<double> moved = rows;
    for (std::size_t a = 0; a < used.size(); ++a) {
      for (std::size_t c = 0; c < columns_; ++c) {
        moved[used[a] * columns_ + c] += part * step[static_cast<Eigen::Index>(a * columns_ + c)];
      }
    }
    if (violation(lambda, moved) > 0.9 * violation_before) continue;
    rows = std::move(moved);
    return true;
  }
  return false;
}

double GroupSolver::solve(double lambda, std::vector<double>& rows) const {
  sweep(lambda, rows);
  double now = violation(lambda, rows);
  for (int round = 0; round < kMostRounds && now > kAccuracy * scale_; ++round) {
    if (newton(lambda, now, rows)) {
      now = violation(lambda, rows);
      continue;
    }
    std::vector<double> before = rows;
    for (int t = 0; t < kSweeps; ++t) sweep(lambda, rows);
    const double then = violation(lambda, rows);
    if (now <= kGoodEnough * scale_ && then >= 0.5 * now) {
      if (then > now) rows = std::move(before);
      return std::min(now, then) / scale_;
    }
    now = then;
  }
  return now / scale_;
}

}  // namespace land
