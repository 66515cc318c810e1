// Labelled graphlets of at most four vertices, each isomorphism class a number.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace land {

inline constexpr int kMostVertices = 4;
inline constexpr int kLabelBits = 14;
inline constexpr std::uint32_t kMostLabels = 1U << kLabelBits;

// Vertices with labels below kMostLabels; edge i-j, i < j, is bit j (j - 1) / 2 + i of `edges`, so that the edges of
// the first vertices are the low bits. Labels beyond `size` are 0.
struct Graphlet {
  int size = 0;
  std::array<std::uint32_t, kMostVertices> labels{};
  unsigned edges = 0;

  bool operator==(const Graphlet&) const = default;
};

constexpr unsigned edge_bit(int i, int j) { return 1U << (i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j); }

// A connected graphlet up to isomorphism that keeps labels, from the high bits down: size - 1 (2 bits), the labels in
// rising order (4 x 14), the edges (6), which are the lowest that an order of equal labels gives. So keys are in order
// of size, then labels, then edges.
using GraphletKey = std::uint64_t;

constexpr int label_shift(int place) { return 6 + kLabelBits * (kMostVertices - 1 - place); }

GraphletKey graphlet_key(const Graphlet& graphlet);
Graphlet graphlet_of(GraphletKey key);

// The ways to choose a root, up to isomorphism: vertices that a symmetry exchanges are one root.
struct Rootings {
  int count = 0;
  std::array<std::uint8_t, kMostVertices> root{};      // its first vertex, in rising order
  std::array<std::uint8_t, kMostVertices> vertices{};  // how many vertices it stands for
};
const Rootings& rootings(GraphletKey key);

// Appends what the graphlet with this root is called: the labels, the root's first and the others rising, then the
// edges between them, vertices counted from 0. 5.7.9:01-12 is a path from the root 5 over 7 to 9. `labels` are those
// that the labels of the graphlet stand for. Different rooted graphlets have different names, the same one has always
// the same.
void append_name(GraphletKey key, int root, std::span<const std::int64_t> labels, std::string& text);

// Three connected vertices, to be joined by a fourth: the inner loop of the enumeration.
class Triple {
 public:
  // `edges` as in Graphlet.
  Triple(std::array<std::uint32_t, 3> labels, unsigned edges);

  // Of the three alone.
  GraphletKey key() const { return key_; }
  // With a fourth vertex; bit i of `neighbours`: vertex i of the three, as given, is a neighbour.
  GraphletKey key_with(std::uint32_t label, unsigned neighbours) const {
    const unsigned place = (label > labels_[0]) + (label > labels_[1]) + (label > labels_[2]);
    const unsigned tied = label == labels_[place];
    return bases_[place] | GraphletKey{label} << label_shift(static_cast<int>(place)) |
           edges_[place << 4 | tied << 3 | neighbours];
  }

 private:
  std::array<std::uint32_t, 4> labels_;  // rising, then one that is no label
  std::array<GraphletKey, 4> bases_;     // the key without the fourth label and the edges, by the place of that label
  const std::uint8_t* edges_;            // of the whole, by place, tie with the next label, neighbours
  GraphletKey key_;
};

}  // namespace land
