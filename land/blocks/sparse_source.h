// Features of a sparse table in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/signature.h"
#include "land/blocks/sparse_columns.h"

namespace land {

class SparseSource final : public FeatureSource {
 public:
  explicit SparseSource(SparseColumns columns);

  std::int64_t features() const override { return columns_.columns; }
  std::int64_t samples() const override { return columns_.samples; }
  std::int64_t bytes_each() const override {
    return 512 + (1 + sample_number_bytes(samples())) * columns_.stored() / std::max<std::int64_t>(features(), 1);
  }
  bool has_signatures() const override { return true; }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;

 private:
  void encode(std::int64_t first, std::int64_t last, FeatureBlock& block) const;

  SparseColumns columns_;
  Signer signer_;
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per sample
};

}  // namespace land
