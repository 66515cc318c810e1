#include "land/kernels/factors/pivoted_cholesky.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "land/kernels/factors/dense_columns.h"
#include "land/kernels/scoring/value_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/factors/pivoted_cholesky.cpp"
// clang-format off: foreach_target.h comes before everything of Highway
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <Eigen/Dense>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// column = (kernel - sum_b factors_b earlier_b) / root and residuals -= column^2, value by value. No fused operation:
// the same on every target. `size` is a multiple of 8.
void NextColumn(const double* kernel, const double* earlier, const double* factors, std::size_t count, std::size_t size,
                double root, double* column, double* residuals) {
  const hn::CappedTag<double, 8> d;
  const auto divisor = hn::Set(d, root);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    auto x = hn::Load(d, kernel + i);
    for (std::size_t b = 0; b < count; ++b) {
      x = hn::Sub(x, hn::Mul(hn::Set(d, factors[b]), hn::Load(d, earlier + b * size + i)));
    }
    x = hn::Div(x, divisor);
    hn::Store(x, d, column + i);
    hn::Store(hn::Sub(hn::Load(d, residuals + i), hn::Mul(x, x)), d, residuals + i);
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {

HWY_EXPORT(NextColumn);

using Vector = Eigen::Map<const Eigen::VectorXd>;

class PivotedCholesky {
 public:
  PivotedCholesky(const Points& points, const PivotPool& pool, double sigma)
      : sigma_(sigma),
        count_(std::ssize(pool.points)),
        size_(static_cast<std::size_t>(padded_samples(count_))),
        u_(size_),
        residuals_(size_),
        weights_(pool.weights.data(), count_),
        total_(weights_.sum()),
        kernel_(count_, 1) {
    std::fill(u_.begin(), u_.end(), 0.0);
    std::fill(kernel_.values.begin(), kernel_.values.end(), 0.0);
    std::fill(residuals_.begin(), residuals_.end(), 1.0);
    for (std::size_t p = 0; p < pool.points.size(); ++p) u_[p] = points.u[static_cast<std::size_t>(pool.points[p])];
  }

  void run(double tolerance) {
    while (std::ssize(pivots_) < count_) {
      const double trace = weights_.dot(Vector(residuals_.data(), count_).cwiseMax(0.0));
      if (trace / total_ <= tolerance * std::max(1.0 - mean_norm_, 1e-300) || !add_pivot()) return;
    }
  }

  KernelMap map() const {
    const auto r = std::ssize(pivots_);
    Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(r, r);
    KernelMap result;
    for (Eigen::Index a = 0; a < r; ++a) {
      const std::size_t pivot = pivots_[static_cast<std::size_t>(a)];
      result.points.push_back(u_[pivot]);
      for (Eigen::Index b = 0; b <= a; ++b) lower(a, b) = columns_[static_cast<std::size_t>(b) * size_ + pivot];
    }
    // phi = L^-1 k, so the map is L^-T: column by column what L^-1 is row by row.
    const Eigen::MatrixXd inverse = lower.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(r, r));
    result.map.assign(inverse.data(), inverse.data() + inverse.size());
    result.columns = r;
    result.triangular = true;
    return result;
  }

 private:
  bool add_pivot() {
    // The largest residual; among equals (up to rounding) the first, so that mirrored copies pivot alike.
    std::size_t pivot = 0;
    for (std::size_t p = 1; p < static_cast<std::size_t>(count_); ++p) {
      if (residuals_[p] > residuals_[pivot] * (1.0 + 1e-9) + 1e-13) pivot = p;
    }
    if (residuals_[pivot] < 1e-13) return false;
    gaussian_columns(u_.data(), {&u_[pivot], 1}, sigma_, kernel_);
    const std::size_t r = pivots_.size();
    std::vector<double> factors(r);
    for (std::size_t b = 0; b < r; ++b) factors[b] = columns_[b * size_ + pivot];
    columns_.resize((r + 1) * size_);
    double* column = columns_.data() + r * size_;
    const double root = std::sqrt(residuals_[pivot]);
    HWY_DYNAMIC_DISPATCH(NextColumn)
    (kernel_.values.data(), columns_.data(), factors.data(), r, size_, root, column, residuals_.data());
    column[pivot] = root;
    residuals_[pivot] = 0.0;
    const double mean = weights_.dot(Vector(column, count_)) / total_;
    mean_norm_ += mean * mean;
    pivots_.push_back(pivot);
    return true;
  }

  double sigma_;
  std::int64_t count_;  // points
  std::size_t size_;    // with what pads them
  AlignedBuffer<double> u_;
  AlignedBuffer<double> residuals_;
  Vector weights_;
  double total_ = 0.0;
  double mean_norm_ = 0.0;  // squared norm of the mean of phi: trace - n mean_norm is the centred trace
  std::vector<std::size_t> pivots_;
  AlignedBuffer<double> columns_;  // one after the other
  DenseColumns kernel_;            // of the points with a pivot
};

}  // namespace

PivotPool pivot_pool(const Points& points) {
  constexpr std::int64_t kParts = 128;
  PivotPool pool;
  std::vector<bool> missing(points.missing.empty() ? 0 : static_cast<std::size_t>(points.count), false);
  for (const std::int32_t v : points.missing) missing[static_cast<std::size_t>(v)] = true;
  const auto is_missing = [&](std::int64_t v) { return !missing.empty() && missing[static_cast<std::size_t>(v)]; };
  if (points.distinct() || points.count <= kParts) {
    for (std::int64_t v = 0; v < points.count; ++v) {
      if (is_missing(v)) continue;
      pool.points.push_back(v);
      pool.weights.push_back(points.weights.empty() ? 1.0 : points.weights[static_cast<std::size_t>(v)]);
    }
    return pool;
  }
  // u is 0 where a value is missing, which is within the range.
  const ValueRange range = range_of({points.u.data(), static_cast<std::size_t>(points.count)});
  const double per_unit = static_cast<double>(kParts - 1) / (range.high - range.low);
  const double start = range.low - 0.5 / per_unit;  // the extremes are in the middle of theirs
  std::array<std::int64_t, kParts> counts{};
  std::vector<std::size_t> parts;
  for (std::int64_t i = 0; i < points.count; ++i) {
    if (is_missing(i)) continue;
    const auto part = static_cast<std::size_t>((points.u[static_cast<std::size_t>(i)] - start) * per_unit);
    if (counts[part]++ > 0) continue;
    pool.points.push_back(i);
    parts.push_back(part);
  }
  for (const std::size_t part : parts) pool.weights.push_back(static_cast<double>(counts[part]));
  return pool;
}

KernelMap pivoted_cholesky(const Points& points, const PivotPool& pool, double sigma, double tolerance) {
  PivotedCholesky cholesky(points, pool, sigma);
  cholesky.run(tolerance);
  return cholesky.map();
}

}  // namespace land
#endif
