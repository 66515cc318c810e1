// Genotypes at two bits a call, as PLINK's .bed files hold them, used where they stand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "land/blocks/feature_source.h"

namespace land {

class GenotypeSource final : public FeatureSource, private Paging {
 public:
  // Feature k is bytes k * packed_bytes(samples) and on of `calls`, which `owner` keeps alive. `mapped`: whether it is
  // a mapped file.
  GenotypeSource(std::span<const std::byte> calls, std::shared_ptr<const void> owner, bool mapped,
                 std::int64_t features, std::int64_t samples);

  std::int64_t features() const override { return features_; }
  std::int64_t samples() const override { return samples_; }
  std::int64_t bytes_each() const override { return packed_bytes(samples_); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  const Paging& paging() const override;

 private:
  void add(std::int64_t feature, FeatureBlock& block) const;
  std::span<const std::byte> file() const override { return calls_; }
  std::span<const std::byte> bytes_of(std::int64_t first, std::int64_t count) const override;

  std::span<const std::byte> calls_;
  std::shared_ptr<const void> owner_;
  bool mapped_;
  std::int64_t features_;
  std::int64_t samples_;
  std::vector<std::uint64_t> everyone_;     // a mask of all samples
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per word of 32 calls
};

}  // namespace land
