// Graphs by rooted graphlets: how often each occurs in each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "land/graphlets/graphlet_counter.h"
#include "land/graphlets/graphlet_key.h"

namespace land {

// A feature is a graphlet with a root. Features are in order of their graphlets' keys, then of the root's place among
// the rising labels: the rootings of a graphlet stand together. Held without roots, a quarter of the numbers; rows with
// roots are made when asked for.
struct GraphletTable {
  struct Features {
    std::uint32_t first;                               // of a graphlet; the others follow, by root
    std::array<std::uint8_t, kMostVertices> vertices;  // that each stands for; 0 behind the last
  };

  std::vector<std::string> classes;    // of the graphs, as written
  std::vector<std::int64_t> labels;    // what the labels in `graphlets` stand for, rising
  std::vector<GraphletKey> graphlets;  // those that occur, rising
  std::vector<Features> rooted;        // of every graphlet, and one more that begins behind the last feature
  std::vector<std::vector<GraphletCounter::Count>> rows;  // what occurs in a graph, by place in `graphlets`, rising
  std::vector<std::int64_t> starts;  // of the entries of a graph among those of all graphs, roots included

  std::int64_t graphs() const { return static_cast<std::int64_t>(classes.size()); }
  std::int64_t features() const { return rooted.back().first; }
  std::int64_t nonzeros() const { return starts.back(); }

  // The features that occur in a graph, rising, and how often; what is not among them is 0.
  void row(std::int64_t graph, std::vector<std::uint32_t>& features, std::vector<std::uint32_t>& counts) const;

  // Which graphlet, by its place in `graphlets`, and which of its rootings.
  struct Rooting {
    std::size_t graphlet;
    std::size_t number;
  };
  Rooting rooting_of(std::int64_t feature) const;

  // See append_name of graphlet_key.h. To name all of them, go through `graphlets`.
  std::string name(std::int64_t feature) const;
};

}  // namespace land
