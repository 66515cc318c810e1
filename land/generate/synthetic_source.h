// A synthetic table as a source of encoded features: no more of it exists than is asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/generate/synthetic.h"

namespace land {

// The same features, to the bit, as those of the table written to an array. The table must outlive it.
class SyntheticSource final : public FeatureSource {
 public:
  explicit SyntheticSource(const SyntheticTable& table);

  std::int64_t features() const override { return table_.features(); }
  std::int64_t samples() const override { return table_.samples(); }
  std::int64_t bytes_each() const override {
    return table_.samples() * static_cast<std::int64_t>(table_.counts() ? sizeof(std::uint8_t) : sizeof(float));
  }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;

 private:
  void read_counts(std::int64_t first, std::int64_t count, FeatureBlock& block) const;
  void read_floats(std::int64_t first, std::int64_t count, FeatureBlock& block) const;

  const SyntheticTable& table_;
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per sample
};

}  // namespace land
