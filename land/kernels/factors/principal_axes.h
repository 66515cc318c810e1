// The principal axes of columns, and what is lost with the smallest of them.
#pragma once

#include <Eigen/Dense>
#include <functional>

namespace land {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct PrincipalAxes {
  RowMatrix axes;        // [column][axis], in falling order of what they hold
  double norm = 0.0;     // of F F^T, F being the columns turned to these
  double dropped = 0.0;  // the trace of what is left out
};

// `products`: F^T F. Leaves out the smallest axes, at least one staying, while they hold no more together than
// allowed() says of all eigenvalues, which rise and are not negative.
PrincipalAxes principal_axes(const Eigen::MatrixXd& products,
                             const std::function<double(const Eigen::VectorXd& eigenvalues)>& allowed);

}  // namespace land
