#include "land/methods/conditional/residual_target.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/kernels/factors/principal_axes.h"

namespace land {
namespace {

Eigen::MatrixXd matrix_of(const Factor& by_sample) {
  Eigen::MatrixXd matrix(by_sample.samples, by_sample.columns);
  for (Eigen::Index a = 0; a < matrix.cols(); ++a) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, a) = by_sample.stored.at(i, a);
  }
  return matrix;
}

DenseColumns columns_of(const Eigen::MatrixXd& matrix) {
  DenseColumns columns(matrix.rows(), matrix.cols());
  std::fill(columns.values.begin(), columns.values.end(), 0.0);
  for (Eigen::Index a = 0; a < matrix.cols(); ++a) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) columns.at(i, a) = matrix(i, a);
  }
  return columns;
}

}  // namespace

ResidualTarget::ResidualTarget(Factor target, double ridge) : ridge_(ridge) {
  auto whole = std::make_shared<const Factor>(stored_by_sample(std::move(target)));
  target_ = rest_ = matrix_of(*whole);
  residual_ = whole->residual * whole->norm;
  scale_ = whole->scale;
  left_ = std::move(whole);
}

void ResidualTarget::take_out(const Factor& feature) {
  const Eigen::MatrixXd columns = matrix_of(stored_by_sample(feature)) / std::sqrt(feature.norm);
  // With M = I - sum of B B' and P these columns, B = M P L'^-1, L L' = ridge I + P'M P.
  Eigen::MatrixXd taken = columns;
  for (const Eigen::MatrixXd& before : taken_) taken -= before * (before.transpose() * columns);
  Eigen::MatrixXd inner = columns.transpose() * taken;
  inner.diagonal().array() += ridge_;
  inner.llt().matrixU().solveInPlace<Eigen::OnTheRight>(taken);
  rest_ -= taken * (taken.transpose() * target_);
  taken_.push_back(std::move(taken));

  const PrincipalAxes axes =
      principal_axes(rest_.transpose() * rest_, [](const Eigen::VectorXd& /*values*/) { return 0.0; });
  Factor left;
  left.stored = columns_of(rest_ * axes.axes);
  left.samples = left.stored.samples;
  left.columns = left.stored.columns;
  left.scale = scale_;
  left.norm = axes.norm;
  left.residual = residual_ / axes.norm;
  left_ = std::make_shared<const Factor>(std::move(left));
}

}  // namespace land
