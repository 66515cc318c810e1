// Graphlets of graphs as encoded features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/signature.h"
#include "land/graphlets/graphlet_table.h"

namespace land {

// The same features, to the bit, as those of the table written as text. Holds the counts by graphlet, 8 bytes each;
// those with roots are made when asked for. The table must outlive it.
class GraphletSource final : public FeatureSource {
 public:
  explicit GraphletSource(const GraphletTable& table);

  std::int64_t features() const override { return table_.features(); }
  std::int64_t samples() const override { return table_.graphs(); }
  std::int64_t bytes_each() const override;
  bool has_signatures() const override { return true; }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;

 private:
  void encode(std::int64_t feature, FeatureBlock& block) const;

  const GraphletTable& table_;
  std::vector<std::int64_t> starts_;  // graphlet g occurs in graphs_[starts_[g]] .. graphs_[starts_[g + 1] - 1],
  std::vector<std::int32_t> graphs_;  // rising,
  std::vector<std::uint32_t> times_;  // so many times
  Signer signer_;
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per graph
};

}  // namespace land
