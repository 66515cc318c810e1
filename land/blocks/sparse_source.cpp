#include "land/blocks/sparse_source.h"

#include <utility>

#include "land/base/checksum.h"
#include "land/blocks/encode_sparse.h"

namespace land {

SparseSource::SparseSource(SparseColumns columns)
    : columns_(std::move(columns)), signer_(columns_.samples), multipliers_(checksum_multipliers(columns_.samples)) {}

void SparseSource::encode(std::int64_t first, std::int64_t last, FeatureBlock& block) const {
  columns_.for_each(
      first, last, [&]<class Row, class T>(std::int64_t feature, std::span<const Row> rows, std::span<const T> values) {
        encode_sparse(rows, values, multipliers_, feature, block);
        block.headers.back().signature = signer_.signature(block.view(block.features() - 1));
      });
}

void SparseSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(columns_.samples);
  block.headers.reserve(static_cast<std::size_t>(count));
  encode(first, first + count, block);
}

void SparseSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(columns_.samples);
  for (const std::int64_t id : ids) encode(id, id + 1, block);
}

}  // namespace land
