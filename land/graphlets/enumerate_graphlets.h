// The connected induced subgraphs of a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "land/base/context.h"
#include "land/graphlets/contact_graphs.h"
#include "land/graphlets/graphlet_counter.h"

namespace land {

// Adds every connected induced subgraph of 1 to kMostVertices vertices to a counter, once each. Time: in proportion to
// their number. One thread has one enumerator, for one graph after the other.
class GraphletEnumerator {
 public:
  // Throws Interrupted when asked to stop.
  void count(const ContactGraph& graph, const Context& context, GraphletCounter& counter);

 private:
  void count_from_edge(const ContactGraph& graph, std::uint32_t first, std::uint32_t second, std::size_t left,
                       const Context& context, GraphletCounter& counter);

  std::vector<std::uint8_t> marks_;     // by vertex; bit i: a neighbour of the i-th vertex of the subgraph
  std::vector<std::uint32_t> seconds_;  // candidates for the second vertex
  std::vector<std::uint32_t> others_;   // and for the third and fourth
};

}  // namespace land
