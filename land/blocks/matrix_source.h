// Features of a dense matrix, mapped or in memory, in either order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/matrix.h"
#include "land/options/options.h"

namespace land {

class MatrixSource final : public FeatureSource, private Paging {
 public:
  // `cell(sample, feature)` names a place in the file, for errors. NaN is a missing value.
  MatrixSource(Matrix matrix, std::function<std::string(std::int64_t sample, std::int64_t feature)> cell,
               Missing missing = Missing::kError);

  std::int64_t features() const override { return matrix_.features(); }
  std::int64_t samples() const override { return matrix_.samples; }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  const Paging& paging() const override;
  void gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  std::unique_ptr<const FeatureSource> copy(std::int64_t first, std::int64_t count,
                                            AlignedBytes& buffer) const override;

 private:
  std::span<const std::byte> file() const override { return matrix_.bytes(); }
  std::span<const std::byte> bytes_of(std::int64_t first, std::int64_t count) const override;
  bool is_scattered() const override { return matrix_.column_stride < matrix_.sample_stride; }
  // A run of float32 features, value (i, k) being source[i * stride + k].
  void read_strips(const float* source, std::int64_t stride, std::int64_t first, std::int64_t count,
                   FeatureBlock& block) const;
  // The same of features that stand one after the other, or of some samples: brought side by side first.
  void read_aside(std::int64_t first, std::int64_t count, FeatureBlock& block) const;
  void read_bytes(std::int64_t first, std::int64_t count, FeatureBlock& block) const;
  void read_columns(std::int64_t first, std::int64_t count, FeatureBlock& block) const;
  void gather_floats(std::span<const std::int64_t> ids, FeatureBlock& block) const;
  // Refuses infinite values, and missing ones unless they are allowed.
  void encode_checked(std::span<const double> column, std::int64_t feature, FeatureBlock& block) const;
  [[noreturn]] void refuse(std::int64_t feature) const;
  std::int64_t count_missing() const;

  Matrix matrix_;
  std::function<std::string(std::int64_t, std::int64_t)> cell_;
  Missing missing_;
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per sample
};

}  // namespace land
