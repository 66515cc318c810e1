#include "land/methods/additive/smoother.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

constexpr double kLeastEigenvalue = 1e-10;  // of F'F, relative to the largest: what is smaller is left out
constexpr int kHalvings = 80;               // of the interval that mu is in

double trace(const Eigen::VectorXd& eigenvalues, double mu) {
  double sum = 0.0;
  for (const double value : eigenvalues) sum += value / (value + mu);
  return sum;
}

// The mu at which the trace is `wanted`, which is less than there are eigenvalues. The trace falls with mu.
double ridge_for(const Eigen::VectorXd& eigenvalues, double wanted) {
  double low = std::log(eigenvalues.minCoeff()) - 40.0;
  double high = std::log(eigenvalues.sum() / wanted);
  for (int t = 0; t < kHalvings; ++t) {
    const double middle = 0.5 * (low + high);
    (trace(eigenvalues, std::exp(middle)) > wanted ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

Eigen::MatrixXd matrix_of(const DenseColumns& columns) {
  Eigen::MatrixXd matrix(columns.samples, columns.columns);
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    const std::int64_t rows = std::min(kChunk, columns.samples - c * kChunk);
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      std::copy_n(columns.column(c, a), rows, matrix.col(a).data() + c * kChunk);
    }
  }
  return matrix;
}

}  // namespace

Smoother make_smoother(Factor factor) {
  Smoother smoother;
  smoother.samples = factor.samples;
  const Eigen::MatrixXd f = matrix_of(stored_by_sample(std::move(factor)).stored);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(f.transpose() * f);
  const double largest = f.cols() > 0 ? solver.eigenvalues()[f.cols() - 1] : 0.0;
  if (!(largest > kZeroNorm)) return smoother;
  const Eigen::Index kept = (solver.eigenvalues().array() > kLeastEigenvalue * largest).count();
  const Eigen::VectorXd eigenvalues = solver.eigenvalues().tail(kept).reverse();
  const Eigen::MatrixXd u = f * solver.eigenvectors().rightCols(kept).rowwise().reverse() *
                            eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  smoother.basis.assign(u.data(), u.data() + u.size());
  const double mu = static_cast<double>(kept) > kDegreesOfFreedom ? ridge_for(eigenvalues, kDegreesOfFreedom) : 0.0;
  for (const double value : eigenvalues) smoother.shrink.push_back(value / (value + mu));
  return smoother;
}

std::vector<double> Smoother::coordinates(std::span<const double> residual) const {
  const auto n = static_cast<std::size_t>(samples);
  std::vector<double> a;
  for (std::size_t first = 0; first < residual.size(); first += n) {
    for (std::size_t j = 0; j < columns(); ++j) a.push_back(dot(column(j), residual.subspan(first, n)));
  }
  return a;
}

void Smoother::add(double factor, std::span<const double> a, std::span<double> residual) const {
  const auto n = static_cast<std::size_t>(samples);
  for (std::size_t t = 0; t < a.size(); ++t) {
    add_scaled(factor * a[t], column(t % columns()), residual.subspan(t / columns() * n, n));
  }
}

void Smoother::smooth(std::span<double> a) const {
  for (std::size_t t = 0; t < a.size(); ++t) a[t] *= shrink[t % columns()];
}

double difference(const Smoother& s, const Smoother& t) {
  double own = 0.0;
  double other = 0.0;
  double both = 0.0;
  for (const double value : s.shrink) own += value * value;
  for (const double value : t.shrink) other += value * value;
  for (std::size_t a = 0; a < s.columns(); ++a) {
    for (std::size_t b = 0; b < t.columns(); ++b) {
      const double product = dot(s.column(a), t.column(b));
      both += s.shrink[a] * t.shrink[b] * product * product;
    }
  }
  return std::max(0.0, own + other - 2.0 * both) / own;
}

}  // namespace land
