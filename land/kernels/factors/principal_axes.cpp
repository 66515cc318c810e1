#include "land/kernels/factors/principal_axes.h"

namespace land {

PrincipalAxes principal_axes(const Eigen::MatrixXd& products,
                             const std::function<double(const Eigen::VectorXd& eigenvalues)>& allowed) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(0.0);
  const double most = allowed(values);
  PrincipalAxes result;
  Eigen::Index drop = 0;
  while (drop + 1 < values.size() && result.dropped + values[drop] <= most) result.dropped += values[drop++];
  const Eigen::Index kept = values.size() - drop;
  result.axes = solver.eigenvectors().rightCols(kept).rowwise().reverse();
  result.norm = values.tail(kept).norm();
  return result;
}

}  // namespace land
