#include "land/graphlets/graphlet_source.h"

#include <algorithm>

#include "land/base/checksum.h"
#include "land/blocks/encode_sparse.h"

namespace land {

GraphletSource::GraphletSource(const GraphletTable& table)
    : table_(table),
      starts_(table.graphlets.size() + 1),
      signer_(table.graphs()),
      multipliers_(checksum_multipliers(table.graphs())) {
  for (const auto& row : table.rows) {
    for (const GraphletCounter::Count count : row) ++starts_[count.graphlet + 1];
  }
  for (std::size_t g = 1; g < starts_.size(); ++g) starts_[g] += starts_[g - 1];
  graphs_.resize(static_cast<std::size_t>(starts_.back()));
  times_.resize(graphs_.size());
  std::vector<std::int64_t> ends(starts_.begin(), starts_.end() - 1);
  for (std::size_t graph = 0; graph < table.rows.size(); ++graph) {
    for (const GraphletCounter::Count count : table.rows[graph]) {
      const auto at = static_cast<std::size_t>(ends[count.graphlet]++);
      graphs_[at] = static_cast<std::int32_t>(graph);
      times_[at] = count.times;
    }
  }
}

std::int64_t GraphletSource::bytes_each() const {
  return 512 + (1 + sample_number_bytes(samples())) * table_.nonzeros() / std::max<std::int64_t>(features(), 1);
}

void GraphletSource::encode(std::int64_t feature, FeatureBlock& block) const {
  const auto [graphlet, rooting] = table_.rooting_of(feature);
  const std::uint32_t vertices = table_.rooted[graphlet].vertices[rooting];
  const auto begin = static_cast<std::size_t>(starts_[graphlet]);
  const auto size = static_cast<std::size_t>(starts_[graphlet + 1]) - begin;
  static thread_local std::vector<double> counts;
  counts.resize(size);
  for (std::size_t e = 0; e < size; ++e) counts[e] = static_cast<double>(times_[begin + e]) * vertices;
  encode_sparse<std::int32_t, double>({graphs_.data() + begin, size}, counts, multipliers_, feature, block);
  block.headers.back().signature = signer_.signature(block.view(block.features() - 1));
}

void GraphletSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(samples());
  block.headers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t feature = first; feature < first + count; ++feature) encode(feature, block);
}

void GraphletSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(samples());
  for (const std::int64_t id : ids) encode(id, block);
}

}  // namespace land
