// Columns phi of a feature's kernel at its points: all of them at once, or some chunks whenever they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "land/kernels/factors/dense_columns.h"
#include "land/kernels/factors/pivoted_cholesky.h"
#include "land/kernels/points/standardise.h"
#include "land/options/options.h"

namespace land {

class KernelColumns {
 public:
  // Missing points are zero in all columns; with Missing::kLevel they have one column more, which is 1 for them alone.
  KernelColumns(std::shared_ptr<const Points> points, const KernelMap& kernel, double sigma, Missing missing);

  const Points& points() const { return *points_; }
  std::int64_t columns() const { return columns_; }
  // Whether missing points are in no mean, and stay zero when it is taken out.
  bool ignores_missing() const { return !own_column_ && !points_->missing.empty(); }

  // phi of as many points as `phi` has rows, from chunk `first` on. From the kernel's columns by sample, not through
  // their second moments: those would lose the small columns to cancellation.
  void evaluate(std::int64_t first, DenseColumns& phi) const;
  // Takes the mean of each column out of what evaluate() gave.
  void centre(const std::vector<double>& mean, std::int64_t first, DenseColumns& phi) const;

 private:
  std::span<const std::int32_t> missing_among(std::int64_t first, const DenseColumns& phi) const;
  void zero_missing(std::int64_t first, DenseColumns& phi) const;

  std::shared_ptr<const Points> points_;
  std::vector<double> pivots_;
  std::vector<double> map_;  // [pivot][column]
  std::int64_t columns_;
  bool triangular_;
  double sigma_;
  bool own_column_;
};

// Columns of which keeping them would take twenty times what the values do, for very many samples: made again by every
// reader, a few chunks at a time. Bit for bit what the stored columns would be.
class StreamedColumns final : public Columns {
 public:
  explicit StreamedColumns(KernelColumns kernel) : kernel_(std::move(kernel)) {
    samples = kernel_.points().count;
    columns = kernel_.columns();
  }

  // From now on without the mean of each column.
  void centre(std::vector<double> mean) { mean_ = std::move(mean); }
  // From now on times `axes`, [column][new column].
  void turn(std::vector<double> axes, std::int64_t new_columns) {
    axes_ = std::move(axes);
    columns = new_columns;
  }

  const double* chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const override;
  bool stored() const override { return false; }
  std::int64_t bytes() const override;

 private:
  KernelColumns kernel_;
  std::vector<double> mean_;  // empty: not centred
  std::vector<double> axes_;  // empty: not turned
};

// Columns with few distinct rows: row codes[i] of `levels` belongs to sample i.
class LevelColumns final : public Columns {
 public:
  LevelColumns(std::vector<std::uint16_t> codes, std::vector<double> levels, std::int64_t column_count);

  const double* chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const override;
  bool stored() const override { return false; }
  std::int64_t bytes() const override;

 private:
  std::vector<std::uint16_t> codes_;
  std::vector<double> levels_;  // [level][column]
};

}  // namespace land
