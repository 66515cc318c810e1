// Squared distances of single features, and HSIC of sets of them, in plain loops over all pairs of samples.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/methods/table_kernels.h"

namespace land::test {

inline Eigen::MatrixXd set_distances(const TableColumn& column) {
  const auto n = static_cast<Eigen::Index>(column.values.size());
  Eigen::MatrixXd distances(n, n);
  if (!column.nominal) {
    double sum = 0.0;
    double present = 0.0;
    for (const double x : column.values) {
      if (std::isnan(x)) continue;
      sum += x;
      present += 1.0;
    }
    std::vector<double> values = column.values;
    for (double& x : values) x = std::isnan(x) ? sum / present : x;
    const Eigen::VectorXd u = standardised(values);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) distances(i, j) = std::pow(u[i] - u[j], 2);
    }
    return distances;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const double a = column.values[static_cast<std::size_t>(i)];
      const double b = column.values[static_cast<std::size_t>(j)];
      distances(i, j) = a == b || (std::isnan(a) && std::isnan(b)) ? 0.0 : 1.0;
    }
  }
  return distances * (2.0 / distances.mean());
}

// Of all features; 0 x 0 for constant ones.
inline std::vector<Eigen::MatrixXd> set_distances_of_table(const Table& table, Missing missing) {
  std::vector<Eigen::MatrixXd> all;
  for (const TableColumn& column : columns_of_table(table, missing)) {
    all.push_back(column.constant ? Eigen::MatrixXd() : set_distances(column));
  }
  return all;
}

// `scale`: sigma^2 |S|.
inline double hsic_of_distances(const Eigen::MatrixXd& distances, double scale, const Eigen::MatrixXd& target) {
  Eigen::MatrixXd kernel(distances.rows(), distances.cols());
  for (Eigen::Index i = 0; i < kernel.rows(); ++i) {
    for (Eigen::Index j = 0; j < kernel.cols(); ++j) kernel(i, j) = std::exp(-0.5 * distances(i, j) / scale);
  }
  return hsic(kernel, target);  // the target's is centred, which is enough
}

}  // namespace land::test
