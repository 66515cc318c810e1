#include "land/kernels/adjustment/projected.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/kernel_columns.h"
#include "land/kernels/factors/principal_axes.h"

namespace land {
namespace {

// What principal axes may lose, of the trace; as gaussian_factor.cpp has it.
constexpr double kCut = 0.5e-7;

// F A - Q (Q^T F A), made again by every reader.
class ProjectedColumns final : public Columns {
 public:
  ProjectedColumns(std::shared_ptr<const Columns> from, std::shared_ptr<const DenseColumns> basis)
      : from_(std::move(from)),
        basis_(std::move(basis)),
        along_(RowMatrix::Zero(basis_->columns, from_->columns)),
        axes_(RowMatrix::Identity(from_->columns, from_->columns)) {
    samples = from_->samples;
    columns = from_->columns;
    column_products(*basis_, *from_, along_.data());
  }

  // From now on times these, [column][new column].
  void turn(const RowMatrix& axes) {
    along_ = (along_ * axes).eval();
    axes_ = axes;
    columns = axes.cols();
  }

  const double* chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const override {
    static thread_local DenseColumns made;
    static thread_local DenseColumns one;
    static thread_local AlignedBuffer<double> from_room;
    made.reshape(std::min(count * kChunk, samples - first * kChunk), columns);
    for (std::int64_t c = 0; c < chunks_of(made.samples); ++c) {
      const std::int64_t rows = made.rows(c);
      one.reshape(std::min(kChunk, made.samples - c * kChunk), from_->columns);
      std::copy_n(from_->chunks(first + c, 1, from_room), rows * from_->columns, one.values.data());
      for (std::int64_t a = 0; a < columns; ++a) {
        double* to = made.column(c, a);
        std::fill_n(to, rows, 0.0);
        for (std::int64_t b = 0; b < from_->columns; ++b) add(axes_(b, a), one.column(0, b), rows, to);
        for (std::int64_t q = 0; q < basis_->columns; ++q) add(-along_(q, a), basis_->column(first + c, q), rows, to);
      }
    }
    std::swap(room, made.values);
    return room.data();
  }
  bool stored() const override { return false; }
  std::int64_t bytes() const override { return from_->bytes(); }

 private:
  static void add(double times, const double* column, std::int64_t rows, double* to) {
    for (std::int64_t i = 0; i < rows; ++i) to[i] += times * column[i];
  }

  std::shared_ptr<const Columns> from_;
  std::shared_ptr<const DenseColumns> basis_;
  RowMatrix along_;  // Q^T F A
  RowMatrix axes_;   // A
};

std::shared_ptr<const Columns> columns_of(Factor&& factor) {
  if (factor.coded()) return std::make_shared<LevelColumns>(factor.codes, factor.levels, factor.columns);
  if (factor.streamed) return std::move(factor.streamed);
  return std::make_shared<const DenseColumns>(std::move(factor.stored));
}

RowMatrix products_of(const Columns& columns) {
  RowMatrix products = RowMatrix::Zero(columns.columns, columns.columns);
  column_products(columns, columns, products.data());
  return products;
}

Eigen::Map<RowMatrix> matrix_of(FullKernel& kernel) { return {kernel.values.data(), kernel.samples, kernel.samples}; }

}  // namespace

Factor projected(Factor factor, const std::shared_ptr<const DenseColumns>& basis, Measure measure) {
  Factor left;
  left.samples = factor.samples;
  const double norm = factor.norm;
  const double residual = factor.residual * norm;
  auto columns = std::make_shared<ProjectedColumns>(columns_of(std::move(factor)), basis);
  const PrincipalAxes found =
      principal_axes(products_of(*columns), [](const Eigen::VectorXd& values) { return kCut * values.sum(); });
  columns->turn(found.axes);
  left.columns = columns->columns;
  left.streamed = std::move(columns);
  if (found.norm >= kLeastLeft * norm) {
    left.norm = found.norm;
    left.residual = (residual + found.dropped) / std::max(found.norm, kZeroNorm);
    left.scale = kernel_scale(measure, found.norm, static_cast<double>(left.samples));
  }
  return left.samples < kLeastStreamed ? stored_by_sample(std::move(left)) : left;
}

FullKernel projected(FullKernel kernel, const DenseColumns& basis, Measure measure) {
  const double before = std::sqrt(inner_product(kernel, kernel));
  Eigen::MatrixXd q(basis.samples, basis.columns);
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    for (Eigen::Index a = 0; a < q.cols(); ++a) q(i, a) = basis.at(i, a);
  }
  Eigen::Map<RowMatrix> values = matrix_of(kernel);
  const Eigen::MatrixXd along = values * q;
  // K - along Q^T - Q along^T + Q (Q^T along) Q^T, the last halved between the others.
  const Eigen::MatrixXd half = along - 0.5 * q * (q.transpose() * along);
  values -= half * q.transpose();
  values -= q * half.transpose();
  const double left = std::sqrt(inner_product(kernel, kernel));
  if (left < kLeastLeft * before) {
    values.setZero();
  } else if (measure == Measure::kNhsic && left > 0.0) {
    values /= left;
  }
  return kernel;
}

Factor factor_of(const FullKernel& kernel) {
  const std::int64_t n = kernel.samples;
  const Eigen::Map<const RowMatrix> values(kernel.values.data(), n, n);
  const Eigen::LDLT<Eigen::MatrixXd> solver(values);
  const Eigen::VectorXd pivots = solver.vectorD().cwiseMax(0.0);
  Eigen::MatrixXd root = solver.matrixL();
  root = solver.transpositionsP().transpose() * (root * pivots.cwiseSqrt().asDiagonal()).eval();
  Factor factor;
  factor.samples = n;
  factor.columns = n;
  factor.stored.reshape(n, n);
  std::fill(factor.stored.values.begin(), factor.stored.values.end(), 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t a = 0; a < n; ++a) factor.stored.at(i, a) = root(i, a);
  }
  factor.norm = std::sqrt(inner_product(kernel, kernel));
  factor.scale = 1.0;
  factor.residual = 1e-10;  // of roundings, far from above
  return factor;
}

}  // namespace land
