// Keys are the same for isomorphic graphlets, and only for these.
#include "land/graphlets/graphlet_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/plain_graphlets.h"

namespace land {
namespace {

bool joined(const Graphlet& graphlet, std::size_t i, std::size_t j) {
  return (graphlet.edges & edge_bit(static_cast<int>(i), static_cast<int>(j))) != 0;
}

bool connected(const Graphlet& graphlet) {
  std::set<std::size_t> reached = {0};
  for (int round = 0; round < graphlet.size; ++round) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(graphlet.size); ++i) {
      for (const std::size_t j : std::set<std::size_t>(reached)) {
        if (i != j && joined(graphlet, i, j)) reached.insert(i);
      }
    }
  }
  return reached.size() == static_cast<std::size_t>(graphlet.size);
}

// All connected graphlets with labels 0, 1 and 2, in every order of their vertices.
std::vector<Graphlet> all_graphlets() {
  std::vector<Graphlet> result;
  for (int size = 1; size <= kMostVertices; ++size) {
    for (unsigned edges = 0; edges < 1U << (size * (size - 1) / 2); ++edges) {
      for (int code = 0; code < (size == 1 ? 3 : size == 2 ? 9 : size == 3 ? 27 : 81); ++code) {
        Graphlet graphlet{size, {}, edges};
        for (int i = 0, rest = code; i < size; ++i, rest /= 3) {
          graphlet.labels[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(rest % 3);
        }
        if (connected(graphlet)) result.push_back(graphlet);
      }
    }
  }
  return result;
}

test::PlainKey plain_key_rooted(const Graphlet& graphlet, std::size_t root) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < static_cast<std::size_t>(graphlet.size); ++i) order.push_back(i);
  std::swap(order[0], order[root]);
  std::vector<std::int64_t> labels;
  for (const std::size_t i : order) labels.push_back(graphlet.labels[i]);
  return test::plain_key(labels, [&](std::size_t i, std::size_t j) { return joined(graphlet, order[i], order[j]); });
}

// What isomorphic graphlets have in common: the rooted keys of all their vertices.
std::multiset<test::PlainKey> all_rootings(const Graphlet& graphlet) {
  std::multiset<test::PlainKey> keys;
  for (std::size_t root = 0; root < static_cast<std::size_t>(graphlet.size); ++root) {
    keys.insert(plain_key_rooted(graphlet, root));
  }
  return keys;
}

TEST(GraphletKey, IsTheSameForIsomorphicGraphletsAndOnlyForThem) {
  std::map<GraphletKey, std::multiset<test::PlainKey>> rootings_of;
  std::map<std::multiset<test::PlainKey>, GraphletKey> key_of;
  for (const Graphlet& graphlet : all_graphlets()) {
    const GraphletKey key = graphlet_key(graphlet);
    const auto known = all_rootings(graphlet);
    EXPECT_EQ(rootings_of.emplace(key, known).first->second, known);
    EXPECT_EQ(key_of.emplace(known, key).first->second, key);
  }
}

TEST(GraphletKey, HoldsAGraphletWithThatKey) {
  for (const Graphlet& graphlet : all_graphlets()) {
    const GraphletKey key = graphlet_key(graphlet);
    EXPECT_EQ(graphlet_key(graphlet_of(key)), key);
    EXPECT_EQ(all_rootings(graphlet_of(key)), all_rootings(graphlet));
  }
}

TEST(GraphletKey, HasRoomForTheHighestLabels) {
  const std::uint32_t last = kMostLabels - 1;
  const Graphlet graphlet{4, {last - 1, last, last, last}, 63};
  EXPECT_EQ(graphlet_of(graphlet_key(graphlet)), graphlet);
}

TEST(GraphletKey, OfATripleAndAFourthVertexIsThatOfTheWhole) {
  for (const Graphlet& graphlet : all_graphlets()) {
    if (graphlet.size < 4) continue;
    Graphlet three{3, graphlet.labels, graphlet.edges & 7};
    three.labels[3] = 0;
    if (!connected(three)) continue;
    const Triple triple({three.labels[0], three.labels[1], three.labels[2]}, three.edges);
    EXPECT_EQ(triple.key(), graphlet_key(three));
    EXPECT_EQ(triple.key_with(graphlet.labels[3], graphlet.edges >> 3), graphlet_key(graphlet));
  }
}

TEST(GraphletKey, RootingsAreTheClassesOfItsVertices) {
  for (const Graphlet& graphlet : all_graphlets()) {
    const GraphletKey key = graphlet_key(graphlet);
    const Rootings& rooted = rootings(key);
    std::multiset<test::PlainKey> found;
    for (std::size_t r = 0; r < static_cast<std::size_t>(rooted.count); ++r) {
      const test::PlainKey one = plain_key_rooted(graphlet_of(key), rooted.root[r]);
      EXPECT_EQ(found.count(one), 0U);
      for (int v = 0; v < rooted.vertices[r]; ++v) found.insert(one);
    }
    EXPECT_EQ(found, all_rootings(graphlet));
  }
}

TEST(GraphletKey, NamesTellLabelsAndEdges) {
  const std::vector<std::int64_t> labels = {5, 7, 9};
  const GraphletKey path = graphlet_key({3, {0, 1, 2}, edge_bit(0, 1) | edge_bit(1, 2)});
  const auto name = [&](GraphletKey key, int root) {
    std::string text;
    append_name(key, root, labels, text);
    return text;
  };
  EXPECT_EQ(name(path, 0), "5.7.9:01-12");
  EXPECT_EQ(name(path, 1), "7.5.9:01-02");
  EXPECT_EQ(name(path, 2), "9.5.7:02-12");
  EXPECT_EQ(name(graphlet_key({1, {2}, 0}), 0), "9");
}

}  // namespace
}  // namespace land
