#include "land/graphlets/graphlet_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace land {
namespace {

using Order = std::array<int, kMostVertices>;
constexpr Order kAsTheyAre = {0, 1, 2, 3};

// Where two labels in rising order are the same: bit i is for labels i and i + 1.
using Ties = unsigned;

constexpr GraphletKey kLabelMask = kMostLabels - 1;
constexpr unsigned kEdgesMask = 63;

// How many vertices the edges of a connected graphlet join.
int size_of(unsigned edges) { return edges >= 8 ? 4 : edges >= 2 ? 3 : edges == 1 ? 2 : 1; }

// The edges when vertex order[i] becomes vertex i.
unsigned reordered(unsigned edges, const Order& order) {
  unsigned result = 0;
  for (int j = 1; j < kMostVertices; ++j) {
    for (int i = 0; i < j; ++i) {
      if (edges & edge_bit(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)])) {
        result |= edge_bit(i, j);
      }
    }
  }
  return result;
}

template <typename Labels>
Ties ties_of(const Labels& rising, int size) {
  Ties ties = 0;
  for (int i = 0; i + 1 < size; ++i) {
    if (rising[static_cast<std::size_t>(i)] == rising[static_cast<std::size_t>(i) + 1]) ties |= 1U << i;
  }
  return ties;
}

// Calls visit(order) for every order of the first `size` vertices that exchanges equal labels only.
template <typename Visit>
void for_each_order(int size, Ties ties, Visit visit) {
  std::array<int, kMostVertices> group{};
  for (std::size_t i = 1; i < group.size(); ++i) group[i] = group[i - 1] + ((ties >> (i - 1) & 1) != 0 ? 0 : 1);
  Order order = kAsTheyAre;
  do {
    const bool keeps_labels = std::equal(order.begin(), order.end(), group.begin(), [&](int vertex, int wanted) {
      return group[static_cast<std::size_t>(vertex)] == wanted;
    });
    if (keeps_labels) visit(order);
  } while (std::next_permutation(order.begin(), order.begin() + size));
}

unsigned lowest_edges(Ties ties, unsigned edges) {
  unsigned lowest = kEdgesMask;
  for_each_order(size_of(edges), ties, [&](const Order& order) { lowest = std::min(lowest, reordered(edges, order)); });
  return lowest;
}

Rootings find_rootings(Ties ties, unsigned edges) {
  const int size = size_of(edges);
  Order first = kAsTheyAre;  // the lowest vertex that each can be exchanged with
  for_each_order(size, ties, [&](const Order& order) {
    if (reordered(edges, order) != edges) return;
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = std::min(first[i], order[i]);
  });
  Rootings result;
  for (int v = 0; v < size; ++v) {
    const auto vertices = std::count(first.begin(), first.begin() + size, v);
    if (vertices == 0) continue;
    const auto at = static_cast<std::size_t>(result.count++);
    result.root[at] = static_cast<std::uint8_t>(v);
    result.vertices[at] = static_cast<std::uint8_t>(vertices);
  }
  return result;
}

// The two lowest vertices of an order of three tell the third.
unsigned order_code(unsigned first, unsigned second) { return first | second << 2; }

// What depends on ties and edges only, for all of them.
struct Tables {
  std::uint8_t lowest[8][64];
  Rootings rooted[8][64];
  // For Triple: its edges in the order of rising labels, and those of four vertices, by the order, ties and edges of
  // three and what key_with adds.
  std::uint8_t sorted_edges[16][8];
  std::uint8_t joined[16][4][8][64];

  Tables() {
    for (Ties ties = 0; ties < 8; ++ties) {
      for (unsigned edges = 0; edges < 64; ++edges) {
        lowest[ties][edges] = static_cast<std::uint8_t>(lowest_edges(ties, edges));
        rooted[ties][edges] = find_rootings(ties, edges);
      }
    }
    Order order = kAsTheyAre;
    do {
      const unsigned code = order_code(static_cast<unsigned>(order[0]), static_cast<unsigned>(order[1]));
      for (unsigned edges = 0; edges < 8; ++edges) {
        sorted_edges[code][edges] = static_cast<std::uint8_t>(reordered(edges, order));
        for (Ties ties = 0; ties < 4; ++ties) join(order, ties, edges, joined[code][ties][edges]);
      }
    } while (std::next_permutation(order.begin(), order.begin() + 3));
  }

  // `edges` are those of the three in the order of rising labels; `neighbours` in key_with are not.
  void join(const Order& order, Ties ties, unsigned edges, std::uint8_t* result) const {
    const std::array<int, 3> three = {0, (ties & 1) != 0 ? 0 : 2,
                                      ((ties & 1) != 0 ? 0 : 2) + ((ties & 2) != 0 ? 0 : 2)};
    for (unsigned added = 0; added < 64; ++added) {
      const std::size_t place = added >> 4;
      const bool tied = (added >> 3 & 1) != 0;
      unsigned whole = edges;
      for (int i = 0; i < 3; ++i) {
        if (added >> order[static_cast<std::size_t>(i)] & 1) whole |= edge_bit(i, 3);
      }
      // The fourth vertex goes to its place; the others move up.
      Order moved = {0, 1, 2, 3};
      std::rotate(moved.begin() + static_cast<std::ptrdiff_t>(place), moved.begin() + 3, moved.end());
      std::array<int, 4> labels = {three[0], three[1], three[2], 0};
      labels[3] = place == 3 ? three[2] + 1 : three[place] - (tied ? 0 : 1);
      std::rotate(labels.begin() + static_cast<std::ptrdiff_t>(place), labels.begin() + 3, labels.end());
      result[added] = lowest[ties_of(labels, 4)][reordered(whole, moved)];
    }
  }
};

const Tables& tables() {
  static const Tables all;
  return all;
}

GraphletKey pack(int size, std::span<const std::uint32_t> labels, unsigned edges) {
  GraphletKey key = GraphletKey{static_cast<unsigned>(size - 1)} << 62 | edges;
  for (int i = 0; i < size; ++i) key |= GraphletKey{labels[static_cast<std::size_t>(i)]} << label_shift(i);
  return key;
}

}  // namespace

GraphletKey graphlet_key(const Graphlet& graphlet) {
  Order order = kAsTheyAre;
  auto rising = graphlet.labels;
  for (auto i = static_cast<std::size_t>(graphlet.size) - 1; i > 0; --i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (rising[j] <= rising[j + 1]) continue;
      std::swap(rising[j], rising[j + 1]);
      std::swap(order[j], order[j + 1]);
    }
  }
  const unsigned edges = reordered(graphlet.edges, order);
  return pack(graphlet.size, rising, tables().lowest[ties_of(rising, graphlet.size)][edges]);
}

Graphlet graphlet_of(GraphletKey key) {
  Graphlet graphlet;
  graphlet.size = static_cast<int>(key >> 62) + 1;
  for (int i = 0; i < graphlet.size; ++i) {
    graphlet.labels[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(key >> label_shift(i) & kLabelMask);
  }
  graphlet.edges = static_cast<unsigned>(key) & kEdgesMask;
  return graphlet;
}

const Rootings& rootings(GraphletKey key) {
  const Graphlet graphlet = graphlet_of(key);
  return tables().rooted[ties_of(graphlet.labels, graphlet.size)][graphlet.edges];
}

void append_name(GraphletKey key, int root, std::span<const std::int64_t> labels, std::string& text) {
  const Graphlet graphlet = graphlet_of(key);
  Order order = kAsTheyAre;
  std::rotate(order.begin(), order.begin() + root, order.begin() + root + 1);
  for (int i = 0; i < graphlet.size; ++i) {
    if (i > 0) text += '.';
    const std::uint32_t label = graphlet.labels[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    const fmt::format_int digits(labels[label]);
    text.append(digits.data(), digits.size());
  }
  const unsigned edges = reordered(graphlet.edges, order);
  char before = ':';
  for (int j = 1; j < graphlet.size; ++j) {
    for (int i = 0; i < j; ++i) {
      if ((edges & edge_bit(i, j)) == 0) continue;
      text += std::exchange(before, '-');
      text += static_cast<char>('0' + i);
      text += static_cast<char>('0' + j);
    }
  }
}

Triple::Triple(std::array<std::uint32_t, 3> labels, unsigned edges) {
  const Tables& table = tables();
  // Each label with its vertex below it, sorted by three exchanges.
  std::uint32_t a = labels[0] << 2;
  std::uint32_t b = labels[1] << 2 | 1;
  std::uint32_t c = labels[2] << 2 | 2;
  const auto exchange = [](std::uint32_t& low, std::uint32_t& high) {
    const auto [least, most] = std::minmax({low, high});
    low = least;
    high = most;
  };
  exchange(a, b);
  exchange(b, c);
  exchange(a, b);
  const unsigned order = order_code(a & 3, b & 3);
  labels_ = {a >> 2, b >> 2, c >> 2, kMostLabels};
  const Ties ties = ties_of(labels_, 3);
  const unsigned sorted = table.sorted_edges[order][edges];
  edges_ = table.joined[order][ties][sorted];
  key_ = pack(3, labels_, table.lowest[ties][sorted]);
  for (std::size_t place = 0; place < bases_.size(); ++place) {
    GraphletKey base = GraphletKey{3} << 62;
    for (std::size_t i = 0; i < 3; ++i)
      base |= GraphletKey{labels_[i]} << label_shift(static_cast<int>(i + (i >= place)));
    bases_[place] = base;
  }
}

}  // namespace land
