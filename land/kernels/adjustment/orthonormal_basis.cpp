#include "land/kernels/adjustment/orthonormal_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace land {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

DenseColumns orthonormal_basis(std::vector<std::vector<double>> columns) {
  const auto samples = columns.empty() ? 0 : std::ssize(columns[0]);
  std::vector<std::vector<double>> basis;
  for (std::vector<double>& column : columns) {
    const double before = std::sqrt(dot(column, column));
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<double>& q : basis) {
        const double along = dot(q, column);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] -= along * q[i];
      }
    }
    const double left = std::sqrt(dot(column, column));
    if (!(left > kDependent * before)) continue;
    for (double& value : column) value /= left;
    basis.push_back(std::move(column));
  }
  DenseColumns result(samples, std::ssize(basis));
  std::fill(result.values.begin(), result.values.end(), 0.0);
  for (std::int64_t q = 0; q < result.columns; ++q) {
    for (std::int64_t i = 0; i < samples; ++i) {
      result.at(i, q) = basis[static_cast<std::size_t>(q)][static_cast<std::size_t>(i)];
    }
  }
  return result;
}

DenseColumns restricted_basis(const DenseColumns& basis, const std::vector<bool>& kept) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(basis.columns),
                                           std::vector<double>(kept.size(), 0.0));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    for (std::int64_t q = 0; q < basis.columns; ++q) {
      columns[static_cast<std::size_t>(q)][i] = basis.at(static_cast<std::int64_t>(i), q);
    }
  }
  return orthonormal_basis(std::move(columns));
}

}  // namespace land
