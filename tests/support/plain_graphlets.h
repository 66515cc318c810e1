// Rooted graphlets counted from the definition: readable and slow. The oracle of the tests, and what the benchmark
// measures against.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "land/graphlets/contact_graphs.h"

namespace land::test {

// The number of vertices, their labels (the root's first, -1 behind the last), and 1 for every edge, else 0, of
// 01 02 03 12 13 23: the least that an order of the others gives.
using PlainKey = std::array<std::int64_t, 11>;

// `edge(i, j)`: whether vertices i and j of `labels` are joined. Vertex 0 is the root.
template <typename Edge>
PlainKey plain_key(std::span<const std::int64_t> labels, Edge edge) {
  const std::size_t size = labels.size();
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  PlainKey least;
  bool first = true;
  do {
    PlainKey key{};
    std::size_t at = 0;
    key[at++] = static_cast<std::int64_t>(size);
    for (std::size_t i = 0; i < 4; ++i) key[at++] = i < size ? labels[order[i]] : -1;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) key[at++] = j < size && edge(order[i], order[j]) ? 1 : 0;
    }
    if (first || key < least) least = key;
    first = false;
  } while (std::next_permutation(order.begin() + 1, order.begin() + static_cast<std::ptrdiff_t>(size)));
  return least;
}

// Every connected set of at most four vertices, once with each vertex as its root.
inline std::map<PlainKey, std::int64_t> plain_graphlets(const ContactGraph& graph,
                                                        const std::vector<std::int64_t>& label_values) {
  using Set = std::vector<std::uint32_t>;
  const auto joined = [&](std::uint32_t a, std::uint32_t b) {
    const auto neighbours = graph.neighbours_of(a);
    return std::binary_search(neighbours.begin(), neighbours.end(), b);
  };
  std::map<PlainKey, std::int64_t> counts;
  std::set<Set> sets;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) sets.insert({v});
  for (int size = 1; size <= 4; ++size) {
    std::set<Set> larger;
    for (const Set& set : sets) {
      for (std::size_t root = 0; root < set.size(); ++root) {
        std::array<std::uint32_t, 4> rooted{};
        std::copy(set.begin(), set.end(), rooted.begin());
        std::swap(rooted[0], rooted[root]);
        std::array<std::int64_t, 4> labels{};
        for (std::size_t i = 0; i < set.size(); ++i) labels[i] = label_values[graph.labels[rooted[i]]];
        ++counts[plain_key(std::span(labels).first(set.size()),
                           [&](std::size_t i, std::size_t j) { return joined(rooted[i], rooted[j]); })];
      }
      if (size == 4) continue;
      for (const std::uint32_t v : set) {
        for (const std::uint32_t u : graph.neighbours_of(v)) {
          if (std::find(set.begin(), set.end(), u) != set.end()) continue;
          Set grown = set;
          grown.insert(std::upper_bound(grown.begin(), grown.end(), u), u);
          larger.insert(std::move(grown));
        }
      }
    }
    sets = std::move(larger);
  }
  return counts;
}

}  // namespace land::test
