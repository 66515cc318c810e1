#include "land/graphlets/contact_graphs.h"

#include <algorithm>
#include <numeric>

namespace land {

void make_undirected(ContactGraph& graph) {
  const auto for_each_edge = [&graph](auto&& visit) {
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
      for (const std::uint32_t u : graph.neighbours_of(v)) {
        if (u != v) visit(v, u);
      }
    }
  };
  std::vector<std::size_t> ends(graph.vertices() + 1, 0);
  for_each_edge([&](std::uint32_t v, std::uint32_t u) {
    ++ends[v + 1];
    ++ends[u + 1];
  });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> both(ends.back());
  // From here on ends[v] is where the next neighbour of v goes; at last it is the end of them.
  for_each_edge([&](std::uint32_t v, std::uint32_t u) {
    both[ends[v]++] = u;
    both[ends[u]++] = v;
  });

  std::size_t begin = 0;
  std::size_t kept = 0;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    const auto first = both.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = both.begin() + static_cast<std::ptrdiff_t>(ends[v]);
    std::sort(first, last);
    const auto end = std::unique_copy(first, last, both.begin() + static_cast<std::ptrdiff_t>(kept));
    begin = ends[v];
    kept = static_cast<std::size_t>(end - both.begin());
    graph.starts[v + 1] = kept;
  }
  graph.neighbours.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(kept));
}

}  // namespace land
