#include "land/generate/synthetic_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "land/base/checksum.h"
#include "land/blocks/encode_column.h"
#include "land/blocks/matrix_source.h"
#include "land/generate/fill_rows.h"

namespace land {

SyntheticSource::SyntheticSource(const SyntheticTable& table)
    : table_(table), multipliers_(checksum_multipliers(table.samples())) {}

void SyntheticSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  if (table_.counts()) return read_counts(first, count, block);
  read_floats(first, count, block);
}

void SyntheticSource::read_counts(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(samples());
  std::vector<float> values(static_cast<std::size_t>(samples()));
  std::vector<std::uint8_t> bytes(values.size());
  for (std::int64_t k = first; k < first + count; ++k) {
    table_.column(k, 0, values);
    std::transform(values.begin(), values.end(), bytes.begin(),
                   [](float x) { return static_cast<std::uint8_t>(static_cast<int>(x)); });
    encode_bytes(bytes, false, multipliers_, k, block);
  }
}

void SyntheticSource::read_floats(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  const std::int64_t begin = first / kStripWidth * kStripWidth;  // strips are those of the whole table
  Matrix matrix;
  matrix.dtype = DType::kFloat32;
  matrix.samples = samples();
  matrix.columns = first + count - begin;
  matrix.sample_stride = matrix.columns;
  matrix.column_stride = 1;
  AlignedBuffer<float> rows(static_cast<std::size_t>(matrix.samples * matrix.columns));
  fill_rows(table_, 0, begin, matrix.columns, matrix.columns, {rows.data(), rows.size()});
  matrix.data = reinterpret_cast<const std::byte*>(rows.data());
  const auto cell = [begin](std::int64_t sample, std::int64_t feature) {
    return fmt::format("feature {}, sample {} (counted from 0)", begin + feature, sample);
  };
  MatrixSource(matrix, cell).read(first - begin, count, block);
  for (FeatureHeader& header : block.headers) header.id += begin;
}

void SyntheticSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(samples());
  FeatureBlock one;
  for (const std::int64_t id : ids) {
    read(id, 1, one);
    block.append_feature(one.view(0));
  }
}

}  // namespace land
