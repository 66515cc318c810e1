#include "land/path/cholesky.h"

#include <algorithm>
#include <cmath>

namespace land {

namespace {

// x <- L^-1 x for the leading x.size() rows of L; returns the sum of squares of the result.
double forward(const std::vector<std::vector<double>>& factor, std::span<double> x) {
  double squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::vector<double>& row = factor[i];
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= row[j] * x[j];
    x[i] = sum / row[i];
    squares += x[i] * x[i];
  }
  return squares;
}

}  // namespace

double Cholesky::complement(std::span<const double> row, double diagonal) const {
  std::vector<double> x(row.begin(), row.end());
  return diagonal - forward(factor_, x);
}

void Cholesky::append(std::span<const double> row, double diagonal) {
  matrix_.emplace_back(row.begin(), row.end());
  matrix_.back().push_back(diagonal);
  factor_row(size() - 1);
}

void Cholesky::remove(std::int64_t position) {
  matrix_.erase(matrix_.begin() + position);
  for (std::int64_t i = position; i < size(); ++i) matrix_[i].erase(matrix_[i].begin() + position);
  factor_.resize(position);
  for (std::int64_t i = position; i < size(); ++i) factor_row(i);
}

void Cholesky::factor_row(std::int64_t row) {
  std::vector<double> x(matrix_[row].begin(), matrix_[row].end() - 1);
  double& diagonal = matrix_[row].back();
  const double squares = forward(factor_, x);
  const double least = floor_ * diagonal;
  if (!(diagonal - squares >= least)) diagonal = squares + least;
  x.push_back(std::sqrt(std::max(diagonal - squares, least)));
  factor_.push_back(std::move(x));
}

void Cholesky::solve(std::span<double> b) const {
  forward(factor_, b);
  for (std::int64_t i = size() - 1; i >= 0; --i) {
    const std::vector<double>& row = factor_[i];
    b[i] /= row[i];
    for (std::int64_t j = 0; j < i; ++j) b[j] -= row[j] * b[i];
  }
}

}  // namespace land
