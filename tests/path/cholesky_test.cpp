#include "land/path/cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

namespace land {
namespace {

Eigen::MatrixXd random_spd(int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd g(n, n + 3);
  for (double& x : g.reshaped()) x = normal(random);
  return g * g.transpose() / n;
}

void append(Cholesky& cholesky, const Eigen::MatrixXd& matrix, const std::vector<int>& rows, int k) {
  std::vector<double> row;
  for (const int i : rows) row.push_back(matrix(k, i));
  cholesky.append(row, matrix(k, k));
}

void expect_solves(const Cholesky& cholesky, const Eigen::MatrixXd& matrix, const std::vector<int>& rows) {
  const Eigen::MatrixXd block = matrix(rows, rows);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(rows.size()), -1.0, 2.0);
  const Eigen::VectorXd expected = block.ldlt().solve(b);
  std::vector<double> x(b.begin(), b.end());
  cholesky.solve(x);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-9 * (1.0 + expected.norm()));
}

TEST(Cholesky, GrowsAndShrinksLikeTheMatrix) {
  const Eigen::MatrixXd matrix = random_spd(20, 1);
  std::mt19937_64 random(2);
  Cholesky cholesky(1e-10);
  std::vector<int> rows;
  for (int step = 0; step < 300; ++step) {
    const int k = static_cast<int>(random() % 20);
    const auto found = std::find(rows.begin(), rows.end(), k);
    if (found == rows.end()) {
      append(cholesky, matrix, rows, k);
      rows.push_back(k);
    } else {
      cholesky.remove(found - rows.begin());
      rows.erase(found);
    }
    ASSERT_EQ(cholesky.size(), static_cast<std::int64_t>(rows.size()));
    expect_solves(cholesky, matrix, rows);
  }
}

TEST(Cholesky, HasNoDrift) {
  const Eigen::MatrixXd matrix = random_spd(12, 3);
  Cholesky walked(1e-10);
  Cholesky fresh(1e-10);
  std::vector<int> rows;
  for (int k = 0; k < 12; ++k) {
    append(walked, matrix, rows, k);
    append(fresh, matrix, rows, k);
    rows.push_back(k);
  }
  for (int round = 0; round < 1000; ++round) {  // the last row leaves and returns
    walked.remove(11);
    rows.pop_back();
    append(walked, matrix, rows, 11);
    rows.push_back(11);
  }
  std::vector<double> a(12, 1.0);
  std::vector<double> b(12, 1.0);
  walked.solve(a);
  fresh.solve(b);
  EXPECT_EQ(a, b);
}

TEST(Cholesky, ComplementIsThatOfTheDefinition) {
  const Eigen::MatrixXd matrix = random_spd(8, 4);
  Cholesky cholesky(1e-10);
  std::vector<int> rows;
  for (int k = 0; k < 7; ++k) {
    append(cholesky, matrix, rows, k);
    rows.push_back(k);
  }
  const Eigen::VectorXd r = matrix.col(7).head(7);
  const double expected = matrix(7, 7) - r.dot(matrix.topLeftCorner(7, 7).ldlt().solve(r));
  EXPECT_NEAR(cholesky.complement(std::vector<double>(r.begin(), r.end()), matrix(7, 7)), expected, 1e-12);
}

TEST(Cholesky, RaisesTheDiagonalOfADependentRow) {
  Cholesky cholesky(1e-10);
  cholesky.append({}, 1.0);
  cholesky.append(std::vector<double>{1.0}, 1.0);  // an exact copy
  EXPECT_NEAR(cholesky.diagonal(1) - 1.0, 1e-10, 1e-15);
  std::vector<double> x{1.0, 1.0 + 1e-12};
  cholesky.solve(x);
  EXPECT_NEAR(x[1], 1e-2, 1e-5);  // 1e-12 / 1e-10, and not infinite
  EXPECT_NEAR(x[0] + x[1], 1.0, 1e-12);
}

}  // namespace
}  // namespace land
