// The Cholesky factor of a small symmetric positive definite matrix that grows and shrinks by one row at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace land {

// Keeps the matrix beside its factor: a removal refactors the rows below it from the matrix itself, so nothing drifts.
// A row whose Schur complement is below `floor` times its diagonal has its diagonal raised until it is not, a ridge on
// that row alone: the factor is never singular, and solutions solve the matrix with that diagonal.
class Cholesky {
 public:
  explicit Cholesky(double floor) : floor_(floor) {}

  std::int64_t size() const { return static_cast<std::int64_t>(matrix_.size()); }
  double diagonal(std::int64_t position) const { return matrix_[position].back(); }

  // diagonal - row^T M^-1 row, for a row of size() entries. O(size^2).
  double complement(std::span<const double> row, double diagonal) const;

  void append(std::span<const double> row, double diagonal);  // O(size^2)
  void remove(std::int64_t position);                         // O(size^3)

  // b <- M^-1 b. O(size^2).
  void solve(std::span<double> b) const;

 private:
  void factor_row(std::int64_t row);

  double floor_;
  std::vector<std::vector<double>> matrix_;  // lower triangle by rows, diagonal included
  std::vector<std::vector<double>> factor_;
};

}  // namespace land
