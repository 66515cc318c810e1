// Small graphs of many shapes, as text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "land/graphlets/contact_graphs.h"
#include "land/graphlets/graphlet_table.h"

namespace land::test {

struct SampleGraph {
  std::string class_value = "1";
  std::vector<std::int64_t> labels;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

// Paths, cycles, stars, complete and bipartite graphs, and random ones of every density, with one to four labels.
std::vector<SampleGraph> sample_graphs(std::uint64_t seed);

// The same graph, its vertices numbered in another order.
SampleGraph shuffled(const SampleGraph& graph, std::uint64_t seed);

std::string text_of(const std::vector<SampleGraph>& graphs);
ContactGraphs read_text_graphs(const std::string& text, int threads = 1);

// Every name and count of a graph.
std::vector<std::pair<std::string, std::uint32_t>> named_row(const GraphletTable& table, std::int64_t graph);

}  // namespace land::test
