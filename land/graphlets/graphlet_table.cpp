#include "land/graphlets/graphlet_table.h"

#include <algorithm>

namespace land {

void GraphletTable::row(std::int64_t graph, std::vector<std::uint32_t>& features,
                        std::vector<std::uint32_t>& counts) const {
  const auto g = static_cast<std::size_t>(graph);
  const auto entries = static_cast<std::size_t>(starts[g + 1] - starts[g]);
  features.resize(entries);
  counts.resize(entries);
  std::uint32_t* feature = features.data();
  std::uint32_t* times = counts.data();
  for (const GraphletCounter::Count count : rows[g]) {
    const Features here = rooted[count.graphlet];
    for (std::uint32_t r = 0; r < here.vertices.size() && here.vertices[r] > 0; ++r) {
      *feature++ = here.first + r;
      *times++ = count.times * here.vertices[r];
    }
  }
}

GraphletTable::Rooting GraphletTable::rooting_of(std::int64_t feature) const {
  const auto after = std::upper_bound(rooted.begin(), rooted.end(), feature,
                                      [](std::int64_t wanted, const Features& each) { return wanted < each.first; });
  const auto graphlet = static_cast<std::size_t>(after - rooted.begin() - 1);
  return {graphlet, static_cast<std::size_t>(feature - rooted[graphlet].first)};
}

std::string GraphletTable::name(std::int64_t feature) const {
  const auto [graphlet, rooting] = rooting_of(feature);
  const GraphletKey key = graphlets[graphlet];
  std::string text;
  append_name(key, rootings(key).root[rooting], labels, text);
  return text;
}

}  // namespace land
