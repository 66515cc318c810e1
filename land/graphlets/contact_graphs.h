// Contact graphs: vertices that bear labels, edges without direction, and a class for every graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace land {

struct ContactGraph {
  std::string class_value;            // a number, as written
  std::vector<std::uint16_t> labels;  // of the vertices: where their labels stand in ContactGraphs::labels
  // The neighbours of vertex v are neighbours[starts[v]] .. neighbours[starts[v + 1] - 1]: rising, never v itself, and
  // v is a neighbour of each of them.
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> neighbours;

  std::size_t vertices() const { return labels.size(); }
  std::span<const std::uint32_t> neighbours_of(std::uint32_t vertex) const {
    return std::span(neighbours).subspan(starts[vertex], starts[vertex + 1] - starts[vertex]);
  }
};

struct ContactGraphs {
  std::vector<ContactGraph> graphs;
  std::vector<std::int64_t> labels;  // all that occur, rising; at most kMostLabels of graphlet_key.h
};

// Adds the edges that are given in one direction only, drops loops and repetitions, and sorts.
void make_undirected(ContactGraph& graph);

}  // namespace land
