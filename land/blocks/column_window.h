// Columns of a mapped matrix that has its samples one after the other, brought into memory. Goes over the file in the
// order of its bytes and holds no more than a few MB of its pages at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "land/base/aligned.h"
#include "land/blocks/feature_source.h"
#include "land/blocks/matrix_source.h"

namespace land {

// These columns (rising) as a matrix of their own, whose values are in `values`.
Matrix copy_columns(const Matrix& matrix, std::span<const std::int64_t> columns, AlignedBytes& values);

// Features [first, first + count) of a source, under their own numbers. Their values are in `values`.
class ColumnWindow final : public FeatureSource {
 public:
  ColumnWindow(const MatrixSource& whole, const Matrix& matrix, std::int64_t first, std::int64_t count, Missing missing,
               AlignedBytes& values);

  std::int64_t features() const override { return whole_.features(); }
  std::int64_t samples() const override { return whole_.samples(); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override { whole_.gather(ids, block); }

 private:
  const MatrixSource& whole_;
  std::int64_t first_;
  std::unique_ptr<const MatrixSource> columns_;
};

}  // namespace land
