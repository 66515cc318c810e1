// The group lasso on a small set of features: min 1/2 sum_ij G_ij <B_i, B_j> - sum_i <F_i, B_i> + lambda sum_i ||B_i||.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace land {

// Sweeps over the features one by one, and Newton's method for those that are not zero, where it does better.
class GroupSolver {
 public:
  // `columns`: how long a row B_i is. `scale`: the largest ||F_i||, to which accuracy relates.
  GroupSolver(std::int64_t columns, double scale) : columns_(static_cast<std::size_t>(columns)), scale_(scale) {}

  std::size_t size() const { return gram_.size(); }

  void append(std::span<const double> gram_row, double diagonal, std::span<const double> f);
  void remove(std::size_t position);

  // `rows`, one after the other, are a start and become the solution. A row that is to be zero is exactly so. Returns
  // by how much the conditions of optimality are off, relative to the scale.
  double solve(double lambda, std::vector<double>& rows) const;

  // lambda - ||F_i - sum_{j != i} G_ij B_j||: minus G_ii ||B_i|| at a solution whose B_i is not zero.
  double slack(std::size_t position, double lambda, std::span<const double> rows) const;

 private:
  std::vector<double> gradient_without(std::size_t position, std::span<const double> rows) const;
  void sweep(double lambda, std::span<double> rows) const;
  double violation(double lambda, std::span<const double> rows) const;
  bool newton(double lambda, double violation, std::vector<double>& rows) const;

  std::size_t columns_;
  double scale_;
  std::vector<std::vector<double>> gram_;  // whole rows
  std::vector<std::vector<double>> f_;
};

}  // namespace land
