#include "land/kernels/scoring/chebyshev_table.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "land/kernels/points/usual_norm.h"

namespace land {
namespace {

// The Chebyshev nodes t > 0 of an even number of nodes, and what takes values there to coefficients.
struct HalfGrid {
  explicit HalfGrid(int half) : nodes(2 * half), t(half) {
    std::vector<double> cosines;  // of pi m / (2 nodes), over a whole turn
    for (int m = 0; m < 4 * nodes; ++m) cosines.push_back(std::cos(std::numbers::pi * m / (2.0 * nodes)));
    for (int i = 0; i < half; ++i) t[i] = cosines[static_cast<std::size_t>(2 * i + 1)];
    for (int parity = 0; parity < 2; ++parity) {
      Eigen::MatrixXd& transform = transforms[static_cast<std::size_t>(parity)];
      transform.resize(half, half);
      for (int i = 0; i < half; ++i) {
        for (int r = 0; r < half; ++r) {
          const int degree = parity + 2 * r;
          const double scale = (degree == 0 ? 1.0 : 2.0) / nodes;
          transform(r, i) = scale * cosines[static_cast<std::size_t>(degree * (2 * i + 1) % (4 * nodes))];
        }
      }
    }
  }

  int nodes;
  Eigen::VectorXd t;
  std::array<Eigen::MatrixXd, 2> transforms;  // by parity; row r: degree parity + 2 r
};

// Chebyshev coefficients of exp(-beta s^2 (t-t')^2) of one parity, degrees parity, parity + 2, ...; the function is
// even under (t, t') -> (-t, -t'), so coefficients of mixed parity vanish, and nodes t > 0 suffice.
Eigen::MatrixXd coefficients(const HalfGrid& grid, double half_range, double beta, int parity) {
  const Eigen::Index half = grid.t.size();
  Eigen::MatrixXd kernel(half, half);
  const double sign = parity == 0 ? 1.0 : -1.0;
  for (Eigen::Index i = 0; i < half; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double minus = half_range * (grid.t[i] - grid.t[j]);
      const double plus = half_range * (grid.t[i] + grid.t[j]);
      kernel(i, j) = kernel(j, i) = std::exp(-beta * minus * minus) + sign * std::exp(-beta * plus * plus);
    }
  }
  // The sum over all nodes is twice that over the positive ones, in both variables; one factor 2 is in `kernel`
  // already.
  const Eigen::MatrixXd& transform = grid.transforms[static_cast<std::size_t>(parity)];
  return 2.0 * transform * kernel * transform.transpose();
}

double absolute_sum(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().sum(); }

// Sum of |coefficients| outside degrees <= degree: bounds the truncation, since |T_k| <= 1.
double tail(const Eigen::MatrixXd& all, int parity, int degree) {
  const int kept = (degree - parity) / 2 + 1;
  return absolute_sum(all) - absolute_sum(all.topLeftCorner(kept, kept));
}

// Coefficients of one kernel, and the lowest even degree that leaves out no more than half of what is allowed.
struct Series {
  std::array<Eigen::MatrixXd, 2> all;  // by parity
  double precision = 0.0;
  int degree = 8;
};

Series series(const HalfGrid& grid, double half_range, double beta, double precision) {
  Series series;
  series.precision = precision;
  for (int parity = 0; parity < 2; ++parity) {
    series.all[static_cast<std::size_t>(parity)] = coefficients(grid, half_range, beta, parity);
  }
  while (series.degree < ChebyshevTables::kMostDegree &&
         tail(series.all[0], 0, series.degree) + tail(series.all[1], 1, series.degree) > 0.5 * precision) {
    series.degree += 2;
  }
  return series;
}

ChebyshevExpansion expand(const std::array<Eigen::MatrixXd, 2>& all, int degree, double room,
                          const std::vector<double>& roundings) {
  ChebyshevExpansion expansion;
  expansion.degree = degree;
  double roundoff = 0.0;
  for (int parity = 0; parity < 2; ++parity) {
    const int kept = (degree - parity) / 2 + 1;
    const Eigen::MatrixXd matrix = all[static_cast<std::size_t>(parity)].topLeftCorner(kept, kept);
    expansion.truncation += tail(all[static_cast<std::size_t>(parity)], parity, degree);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    Eigen::MatrixXd left_out = matrix;
    for (int p = kept - 1; p >= 0; --p) {
      const double value = solver.eigenvalues()[p];
      if (value <= 0.0 || absolute_sum(left_out) < room) break;
      const Eigen::VectorXd row = std::sqrt(value) * solver.eigenvectors().col(p);
      left_out -= row * row.transpose();
      ChebyshevExpansion::Row stored{parity, {}};
      for (int r = 0; r < kept; ++r) stored.coefficients.push_back(static_cast<float>(row[r]));
      expansion.norm += row.squaredNorm();
      expansion.rows.push_back(std::move(stored));
    }
    expansion.truncation += absolute_sum(left_out);
    for (int a = 0; a < kept; ++a) {
      for (int b = 0; b < kept; ++b) {
        roundoff += std::abs(matrix(a, b)) * roundings[static_cast<std::size_t>(parity + 2 * a)] *
                    roundings[static_cast<std::size_t>(parity + 2 * b)];
      }
    }
  }
  expansion.roundoff = std::sqrt(roundoff) * kHalfUlp;
  expansion.norm = std::sqrt(expansion.norm);
  return expansion;
}

// Half-ulps that a mean of T_k can be off by, (12).
double chebyshev_roundings(int k, bool from_product, double sum_roundings) {
  if (k == 0) return 0.0;
  const double recurrence = 1.52 * k * k;
  // The upper half of the degrees comes from products, T_a+b = 2 T_a T_b - T_a-b: the sum's roundings count twice.
  return recurrence + (from_product ? 2.0 * sum_roundings + 4.0 : sum_roundings + 2.0);
}

}  // namespace

ChebyshevTables::ChebyshevTables(std::vector<double> widths, double samples, double sum_roundings)
    : widths_(std::move(widths)),
      samples_(samples),
      most_half_range_(widths_.size() == 1 ? 16.0 : kMostHalfRange),
      sum_roundings_(sum_roundings) {}

const ChebyshevTable* ChebyshevTables::at_least(double half_range) {
  if (!(half_range <= most_half_range_)) return nullptr;
  const auto slot = static_cast<std::size_t>(std::ceil(std::max(half_range, kStep) / kStep));
  std::call_once(once_[slot], [&] { tables_[slot] = make_table(kStep * static_cast<double>(slot)); });
  return tables_[slot].get();
}

// One width: bounds within half a per cent. Several: the narrowest has three times the degree or more, and its share of
// the sum is known well enough by less; a wide one has a small norm, of which a share is allowed.
std::unique_ptr<ChebyshevTable> ChebyshevTables::make_table(double half_range) const {
  const HalfGrid grid(20 + static_cast<int>(std::ceil(5.0 * half_range)));  // far beyond the degrees that matter
  const bool one_width = widths_.size() == 1;
  const auto narrowness = [&](std::size_t w) { return widths_.front() / widths_[w]; };
  std::vector<Series> kernels;
  std::vector<Series> products;
  for (std::size_t w = 0; w < widths_.size(); ++w) {
    const double norm = usual_norm(widths_[w]);
    const double precision =
        one_width ? kTruncation / samples_ : std::min(5.0 * kTruncation / samples_, 2e-3 * norm * norm);
    kernels.push_back(series(grid, half_range, 0.5 * narrowness(w) * narrowness(w), precision));
    for (std::size_t v = 0; v <= w; ++v) {
      const double beta = 0.5 * (narrowness(v) * narrowness(v) + narrowness(w) * narrowness(w));
      products.push_back(series(grid, half_range, beta, one_width ? 1e-4 : 0.005 * usual_norm(widths_[v]) * norm));
    }
  }
  int degree = 8;
  for (const auto* list : {&kernels, &products}) {
    for (const Series& one : *list) degree = std::max(degree, one.degree);
  }
  if (degree >= kMostDegree || degree + 8 > grid.nodes) return nullptr;
  auto table = std::make_unique<ChebyshevTable>();
  table->half_range = half_range;
  table->degree = degree;
  for (int k = 0; k <= degree; ++k) {
    table->roundings.push_back(chebyshev_roundings(k, 2 * k > degree, sum_roundings_));
  }
  const auto expanded = [&](const Series& one) {
    return expand(one.all, one_width ? degree : one.degree, 0.25 * one.precision, table->roundings);
  };
  for (const Series& kernel : kernels) table->kernels.push_back(expanded(kernel));
  for (const Series& product : products) table->products.push_back(expanded(product));
  return table;
}

}  // namespace land
