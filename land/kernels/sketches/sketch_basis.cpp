#include "land/kernels/sketches/sketch_basis.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "land/kernels/points/usual_norm.h"

namespace land {
namespace {

// Calls add(u, weight) for an integral over the normal density, by the trapezium rule.
template <class Add>
void over_normal(const Add& add) {
  constexpr double kStep = 0.05;
  constexpr int kSteps = 200;  // to either side: ten standard deviations
  for (int t = -kSteps; t <= kSteps; ++t) {
    const double u = kStep * t;
    add(u, kStep * std::exp(-0.5 * u * u) / std::sqrt(2.0 * std::numbers::pi));
  }
}

}  // namespace

SketchBasis::SketchBasis(std::span<const double> sigma) {
  if (sigma.size() == 1) {
    combine_mercer(sigma.front());
  } else {
    combine_landmarks(sigma);
  }
}

void SketchBasis::combine_landmarks(std::span<const double> sigma) {
  constexpr int kLandmarks = 17;
  constexpr double kReach = 3.2;
  for (int i = 0; i < kLandmarks; ++i) landmarks.push_back(kReach * (2.0 * i / (kLandmarks - 1) - 1.0));
  std::vector<double> norms;
  for (const double width : sigma) norms.push_back(usual_norm(width));
  const auto kernel_at = [&](double u) {
    Eigen::VectorXd values = Eigen::VectorXd::Zero(kLandmarks);
    for (std::size_t w = 0; w < sigma.size(); ++w) {
      for (Eigen::Index i = 0; i < kLandmarks; ++i) {
        const double difference = (u - landmarks[static_cast<std::size_t>(i)]) / sigma[w];
        values[i] += std::exp(-0.5 * difference * difference) / norms[w];
      }
    }
    return values;
  };
  // Functions that are orthonormal in the kernel's space: combinations of those at the landmarks, by the inverse root
  // of their kernel. What rounding may have made of small eigenvalues is left out.
  Eigen::MatrixXd between(kLandmarks, kLandmarks);
  for (Eigen::Index i = 0; i < kLandmarks; ++i) between.col(i) = kernel_at(landmarks[static_cast<std::size_t>(i)]);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> roots(between);
  constexpr double kSmallest = 1e-8;
  Eigen::Index first = 0;
  while (roots.eigenvalues()[first] < kSmallest * roots.eigenvalues()[kLandmarks - 1]) ++first;
  const Eigen::Index kept = kLandmarks - first;
  const Eigen::MatrixXd orthonormal =
      roots.eigenvectors().rightCols(kept) * roots.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  // Their centred second moments under the normal density.
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(kept, kept);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kept);
  over_normal([&](double u, double weight) {
    const Eigen::VectorXd values = orthonormal.transpose() * kernel_at(u);
    mean += weight * values;
    second += weight * values * values.transpose();
  });
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(second - mean * mean.transpose());
  constexpr double kMargin = 1.0 - 1e-6;  // for what rounding leaves of orthonormality
  const Eigen::MatrixXd combined =
      kMargin * orthonormal * axes.eigenvectors().rightCols(kSketchColumns).rowwise().reverse();
  for (std::size_t w = 0; w < sigma.size(); ++w) {
    Width width{sigma[w], {}};
    for (Eigen::Index i = 0; i < kLandmarks; ++i) {
      for (Eigen::Index p = 0; p < kSketchColumns; ++p) width.map.push_back(combined(i, p) / norms[w]);
    }
    widths.push_back(std::move(width));
  }
}

void SketchBasis::combine_mercer(double sigma) {
  // Mercer's expansion of the Gaussian kernel under the standard normal density, (7): g_j is exp(-decay u^2) times a
  // polynomial h_j, h_j+1 = rise u h_j - fall h_j-1.
  const double a = 0.25;
  const double b = 0.5 / (sigma * sigma);
  const double c = std::sqrt(a * a + 2.0 * a * b);
  const double ratio = b / (a + b + c);
  const double slope = std::sqrt(2.0 * c);
  decay = c - a;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(kTerms, kTerms);  // [j][power of u]
  h(0, 0) = std::sqrt(std::sqrt(2.0 * a / (a + b + c)) * std::sqrt(c / a));
  for (Eigen::Index j = 0; j + 1 < kTerms; ++j) {
    const auto order = static_cast<double>(j);
    const double rise = std::sqrt(ratio) * std::sqrt(2.0 / (order + 1.0)) * slope;
    const double fall = ratio * std::sqrt(order / (order + 1.0));
    h.row(j + 1).tail(kTerms - 1) = rise * h.row(j).head(kTerms - 1);
    if (j > 0) h.row(j + 1) -= fall * h.row(j - 1);
  }
  // Their centred second moments under the normal density, by the trapezium rule, which is exact to rounding here.
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(kTerms, kTerms);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kTerms);
  over_normal([&](double u, double weight) {
    Eigen::VectorXd powers(kTerms);
    for (Eigen::Index j = 0; j < kTerms; ++j) powers[j] = std::pow(u, static_cast<double>(j));
    const Eigen::VectorXd g = std::exp(-decay * u * u) * (h * powers);
    mean += weight * g;
    second += weight * g * g.transpose();
  });
  // Even and odd functions are uncorrelated: their axes are found apart, so that each is of one kind to the last bit.
  std::vector<std::pair<double, Function>> found;
  const Eigen::MatrixXd covariance = second - mean * mean.transpose();
  for (const bool odd : {false, true}) {
    const auto kind = Eigen::seqN(odd ? 1 : 0, kTerms / 2, 2);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(covariance(kind, kind)));
    const Eigen::MatrixXd terms = h(kind, kind);
    const Eigen::MatrixXd polynomials = solver.eigenvectors().transpose() * terms;
    for (Eigen::Index p = 0; p < kTerms / 2; ++p) {
      Function function{odd, {}};
      for (Eigen::Index j = 0; j < kTerms / 2; ++j)
        function.polynomial[static_cast<std::size_t>(j)] = polynomials(p, j);
      found.emplace_back(solver.eigenvalues()[p], function);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  for (std::size_t p = 0; p < kSketchColumns; ++p) functions[p] = found[p].second;
}

}  // namespace land
