#include "land/blocks/sparse_source.h"

#include <memory>
#include <utility>

#include "land/blocks/checksum.h"
#include "land/blocks/encode_sparse.h"

namespace land {

namespace {

template <class T>
std::span<const T> span_of(const AlignedBuffer<T>& buffer) {
  return {buffer.data(), buffer.size()};
}

SparseColumns columns_of(SparseMatrix matrix) {
  const auto kept = std::make_shared<const SparseMatrix>(std::move(matrix));
  return {kept->samples,           kept->columns, span_of(kept->starts), span_of(kept->rows), span_of(kept->values32),
          span_of(kept->values64), kept};
}

}  // namespace

SparseSource::SparseSource(SparseMatrix matrix) : SparseSource(columns_of(std::move(matrix))) {}

SparseSource::SparseSource(SparseColumns columns)
    : matrix_(std::move(columns)), signer_(matrix_.samples), multipliers_(checksum_multipliers(matrix_.samples)) {}

void SparseSource::encode(std::int64_t feature, FeatureBlock& block) const {
  const auto begin = static_cast<std::size_t>(matrix_.starts[static_cast<std::size_t>(feature)]);
  const auto end = static_cast<std::size_t>(matrix_.starts[static_cast<std::size_t>(feature) + 1]);
  const std::span<const std::int32_t> rows{matrix_.rows.data() + begin, end - begin};
  if (matrix_.values64.empty()) {
    encode_sparse<float>(rows, {matrix_.values32.data() + begin, end - begin}, multipliers_, feature, block);
  } else {
    encode_sparse<double>(rows, {matrix_.values64.data() + begin, end - begin}, multipliers_, feature, block);
  }
  block.headers.back().signature = signer_.signature(block.view(block.features() - 1));
}

void SparseSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(matrix_.samples);
  block.headers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t feature = first; feature < first + count; ++feature) encode(feature, block);
}

void SparseSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(matrix_.samples);
  for (const std::int64_t id : ids) encode(id, block);
}

}  // namespace land
