#include "tests/support/oracle.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

namespace land::test {

Eigen::VectorXd standardised(const std::vector<double>& x) {
  Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  u /= u.cwiseAbs().maxCoeff();
  u.array() -= u.mean();
  return u / std::sqrt(u.squaredNorm() / static_cast<double>(u.size()));
}

Eigen::MatrixXd centred(const Eigen::MatrixXd& kernel) {
  const Eigen::Index n = kernel.rows();
  const Eigen::MatrixXd h =
      Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / static_cast<double>(n));
  return h * kernel * h;
}

Eigen::MatrixXd gaussian(const std::vector<double>& x, double sigma) {
  const Eigen::VectorXd u = standardised(x);
  Eigen::MatrixXd kernel(u.size(), u.size());
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    for (Eigen::Index j = 0; j < u.size(); ++j) kernel(i, j) = std::exp(-0.5 * std::pow((u[i] - u[j]) / sigma, 2));
  }
  return centred(kernel);
}

Eigen::MatrixXd gaussian(const std::vector<double>& x, Missing missing, double sigma) {
  std::vector<Eigen::Index> observed;
  std::vector<double> values;
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    observed.push_back(static_cast<Eigen::Index>(i));
    values.push_back(x[i]);
    sum += x[i];
  }
  if (missing == Missing::kMean) {
    std::vector<double> imputed = x;
    for (double& value : imputed) value = std::isnan(value) ? sum / static_cast<double>(values.size()) : value;
    return gaussian(imputed, sigma);
  }
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::VectorXd u = standardised(values);
  Eigen::MatrixXd inner(u.size(), u.size());
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    for (Eigen::Index j = 0; j < u.size(); ++j) inner(i, j) = std::exp(-0.5 * std::pow((u[i] - u[j]) / sigma, 2));
  }
  if (missing != Missing::kLevel) inner = centred(inner);
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const bool both = std::isnan(x[static_cast<std::size_t>(i)]) && std::isnan(x[static_cast<std::size_t>(j)]);
      if (both && missing == Missing::kLevel) kernel(i, j) = 1.0;
    }
  }
  for (Eigen::Index a = 0; a < u.size(); ++a) {
    for (Eigen::Index b = 0; b < u.size(); ++b) {
      kernel(observed[static_cast<std::size_t>(a)], observed[static_cast<std::size_t>(b)]) = inner(a, b);
    }
  }
  return missing == Missing::kLevel ? centred(kernel) : kernel;
}

Eigen::MatrixXd mixed(const std::vector<double>& x, Missing missing, const std::vector<double>& sigma) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(x.size()), static_cast<Eigen::Index>(x.size()));
  for (const double width : sigma) {
    const Eigen::MatrixXd kernel = gaussian(x, missing, width);
    sum += kernel / kernel.norm();
  }
  return sum;
}

std::vector<double> normal_scores(const std::vector<double>& x) {
  double n = 0.0;
  for (const double value : x) n += std::isnan(value) ? 0.0 : 1.0;
  std::vector<double> scores;
  for (const double value : x) {
    double below = 0.0;
    double same = 0.0;
    for (const double other : x) {
      below += other < value ? 1.0 : 0.0;
      same += other == value ? 1.0 : 0.0;
    }
    const double p = (below + 0.5 * (same + 1.0)) / (n + 1.0);
    double low = -40.0;
    double high = 40.0;
    while (high - low > 1e-14) {
      const double middle = 0.5 * (low + high);
      (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
    }
    scores.push_back(std::isnan(value) ? value : low);
  }
  return scores;
}

Eigen::MatrixXd classes(const std::vector<int>& labels) {
  const auto n = static_cast<Eigen::Index>(labels.size());
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    double members = 0.0;
    for (const int label : labels) members += label == labels[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)]) kernel(i, j) = 1.0 / members;
    }
  }
  return centred(kernel);
}

Eigen::MatrixXd nystrom(const std::vector<double>& x, const std::vector<double>& basis, double sigma) {
  const Eigen::VectorXd u = standardised(x);
  const auto b = static_cast<Eigen::Index>(basis.size());
  Eigen::MatrixXd columns(u.size(), b);
  Eigen::MatrixXd between(b, b);
  for (Eigen::Index j = 0; j < b; ++j) {
    const double point = basis[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < u.size(); ++i) columns(i, j) = std::exp(-0.5 * std::pow((u[i] - point) / sigma, 2));
    for (Eigen::Index i = 0; i < b; ++i) {
      between(i, j) = std::exp(-0.5 * std::pow((basis[static_cast<std::size_t>(i)] - point) / sigma, 2));
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(between);
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(b);
  for (Eigen::Index j = 0; j < b; ++j) {
    const double value = solver.eigenvalues()[j];
    if (value >= 1e-9 * solver.eigenvalues()[b - 1]) inverse[j] = 1.0 / value;
  }
  return centred(columns * solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose() *
                 columns.transpose());
}

Eigen::MatrixXd indicators(const std::vector<int>& labels, int count) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(labels.size()), count + 1);
  columns.col(0).setOnes();
  for (std::size_t i = 0; i < labels.size(); ++i) columns(static_cast<Eigen::Index>(i), labels[i] + 1) = 1.0;
  return columns;
}

Eigen::MatrixXd leading(const Eigen::MatrixXd& kernel, int count) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(kernel);
  Eigen::MatrixXd columns(kernel.rows(), count + 1);
  columns << Eigen::VectorXd::Ones(kernel.rows()), solver.eigenvectors().rightCols(count);
  return columns;
}

Eigen::MatrixXd adjusted(const Eigen::MatrixXd& kernel, Eigen::MatrixXd columns) {
  for (Eigen::Index i = 0; i < kernel.rows(); ++i) {
    if (kernel.row(i).isZero(0.0)) columns.row(i).setZero();
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns, Eigen::ComputeThinU);
  const double most = svd.singularValues()[0];
  Eigen::MatrixXd projection = Eigen::MatrixXd::Identity(kernel.rows(), kernel.rows());
  for (Eigen::Index a = 0; a < columns.cols(); ++a) {
    if (svd.singularValues()[a] > 1e-9 * most) projection -= svd.matrixU().col(a) * svd.matrixU().col(a).transpose();
  }
  return projection * kernel * projection;
}

double nhsic(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.cwiseProduct(b).sum() / (a.norm() * b.norm());
}

double hsic(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const auto n = static_cast<double>(a.rows());
  return a.cwiseProduct(b).sum() / (n * n);
}

}  // namespace land::test
