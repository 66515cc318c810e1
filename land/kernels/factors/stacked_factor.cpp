#include "land/kernels/factors/stacked_factor.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/principal_axes.h"

namespace land {
namespace {

double weight_of(const Factor& part) { return 1.0 / std::sqrt(part.norm); }

// The columns of all parts side by side, weighted, and turned if axes are given.
class StackedColumns final : public Columns {
 public:
  explicit StackedColumns(std::vector<Factor> parts) : parts_(std::move(parts)) {
    samples = parts_.front().samples;
    for (const Factor& part : parts_) columns += part.columns;
    all_ = columns;
  }

  // From now on times `axes`, [column][new column].
  void turn(const RowMatrix& axes) {
    axes_.assign(axes.data(), axes.data() + axes.size());
    columns = axes.cols();
  }

  const double* chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const override {
    DenseColumns side_by_side(std::min(count * kChunk, samples - first * kChunk), all_);
    AlignedBuffer<double> part_room;
    std::int64_t at = 0;
    for (const Factor& part : parts_) {
      const double weight = weight_of(part);
      const double* from = part.by_sample().chunks(first, count, part_room);
      for (std::int64_t c = 0; c < chunks_of(side_by_side.samples); ++c) {
        const std::int64_t size = part.columns * side_by_side.rows(c);
        double* to = side_by_side.column(c, at);
        for (std::int64_t i = 0; i < size; ++i) to[i] = weight * from[i];
        from += size;
      }
      at += part.columns;
    }
    if (axes_.empty()) {
      std::swap(room, side_by_side.values);
    } else {
      DenseColumns turned(side_by_side.samples, columns);
      map_columns(side_by_side, axes_, turned);
      std::swap(room, turned.values);
    }
    return room.data();
  }
  bool stored() const override { return false; }
  std::int64_t bytes() const override {
    return std::accumulate(parts_.begin(), parts_.end(), std::int64_t{0},
                           [](std::int64_t sum, const Factor& part) { return sum + part.bytes(); });
  }

 private:
  std::vector<Factor> parts_;
  std::int64_t all_ = 0;  // columns before turning
  std::vector<double> axes_;
};

// The same by level.
RowMatrix stacked_levels(const std::vector<Factor>& parts, std::int64_t columns) {
  RowMatrix stacked(parts.front().level_count(), columns);
  std::int64_t at = 0;
  for (const Factor& part : parts) {
    const Eigen::Map<const RowMatrix> levels(part.levels.data(), part.level_count(), part.columns);
    stacked.middleCols(at, part.columns) = weight_of(part) * levels;
    at += part.columns;
  }
  return stacked;
}

// `products`: F^T F of the columns side by side.
PrincipalAxes axes_of(const RowMatrix& products) {
  return principal_axes(products, [](const Eigen::VectorXd& values) {
    return (1.0 - kShareOfStacked) * kFactorResidual * values.norm();
  });
}

Factor with_norms(std::int64_t samples, std::int64_t columns, double norm, double residual) {
  Factor factor;
  factor.samples = samples;
  factor.columns = columns;
  factor.norm = norm;
  factor.scale = 1.0 / norm;
  factor.residual = residual / norm;
  return factor;
}

Factor stack_coded(std::vector<Factor> parts, FactorUse use, std::int64_t columns, double residual) {
  RowMatrix levels = stacked_levels(parts, columns);
  RowMatrix products = RowMatrix::Zero(columns, columns);
  for (Eigen::Index v = 0; v < levels.rows(); ++v) {
    const auto count = static_cast<double>(parts.front().level_counts[static_cast<std::size_t>(v)]);
    products.noalias() += count * levels.row(v).transpose() * levels.row(v);
  }
  double norm = products.norm();
  if (use == FactorUse::kPairs) {
    const PrincipalAxes found = axes_of(products);
    levels = (levels * found.axes).eval();
    norm = found.norm;
    residual += found.dropped;
  }
  Factor factor = with_norms(parts.front().samples, levels.cols(), norm, residual);
  factor.codes = std::move(parts.front().codes);
  factor.levels.assign(levels.data(), levels.data() + levels.size());
  index_levels(factor);
  return factor;
}

Factor stack_by_sample(std::vector<Factor> parts, FactorUse use, double residual) {
  auto stacked = std::make_shared<StackedColumns>(std::move(parts));
  RowMatrix products = RowMatrix::Zero(stacked->columns, stacked->columns);
  column_products(*stacked, *stacked, products.data());
  double norm = products.norm();
  if (use == FactorUse::kPairs) {
    const PrincipalAxes found = axes_of(products);
    stacked->turn(found.axes);
    norm = found.norm;
    residual += found.dropped;
  }
  Factor factor = with_norms(stacked->samples, stacked->columns, norm, residual);
  factor.streamed = std::move(stacked);
  return factor.samples < kLeastStreamed ? stored_by_sample(std::move(factor)) : factor;
}

}  // namespace

Factor stack_factors(std::vector<Factor> parts, FactorUse use) {
  double residual = 0.0;  // every part has norm 1
  std::int64_t columns = 0;
  std::vector<double> norms;
  for (const Factor& part : parts) {
    residual += part.residual;
    columns += part.columns;
    norms.push_back(part.norm * (1.0 + part.residual));
  }
  Factor stacked = parts.front().coded() ? stack_coded(std::move(parts), use, columns, residual)
                                         : stack_by_sample(std::move(parts), use, residual);
  stacked.part_norms = std::move(norms);
  return stacked;
}

}  // namespace land
