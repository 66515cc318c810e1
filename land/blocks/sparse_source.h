// Features of a sparse matrix in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/signature.h"
#include "land/blocks/sparse_matrix.h"

namespace land {

class SparseSource final : public FeatureSource {
 public:
  explicit SparseSource(SparseMatrix matrix);
  explicit SparseSource(SparseColumns columns);

  std::int64_t features() const override { return matrix_.columns; }
  std::int64_t samples() const override { return matrix_.samples; }
  std::int64_t bytes_each() const override {
    return 512 + 5 * std::ssize(matrix_.rows) / std::max<std::int64_t>(features(), 1);
  }
  bool has_signatures() const override { return true; }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;

 private:
  void encode(std::int64_t feature, FeatureBlock& block) const;

  SparseColumns matrix_;
  Signer signer_;
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per sample
};

}  // namespace land
