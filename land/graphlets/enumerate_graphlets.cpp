// Wernicke's ESU: a subgraph begins with its lowest vertex. Each vertex that joins it makes its own neighbours
// candidates, those that were none before; whoever is taken is not a candidate for what comes after. So every connected
// set of vertices is met once.
#include "land/graphlets/enumerate_graphlets.h"

#include <algorithm>
#include <span>

namespace land {
namespace {

enum Mark : std::uint8_t { kOfFirst = 1, kOfSecond = 2, kOfThird = 4 };

// Marks the neighbours of a vertex. Those above `first` that had no mark join the `count` candidates that there are;
// returns how many there are then.
std::size_t join(std::span<const std::uint32_t> neighbours, std::uint32_t first, Mark mark, std::size_t count,
                 std::span<std::uint8_t> marks, std::span<std::uint32_t> candidates) {
  for (const std::uint32_t u : neighbours) {
    // Written in any case and kept if it is one: whether it is cannot be foreseen.
    candidates[count] = u;
    count += u > first && marks[u] == 0 ? 1 : 0;
    marks[u] |= mark;
  }
  return count;
}

void leave(std::span<const std::uint32_t> neighbours, Mark mark, std::span<std::uint8_t> marks) {
  for (const std::uint32_t u : neighbours) marks[u] &= static_cast<std::uint8_t>(~mark);
}

}  // namespace

void GraphletEnumerator::count(const ContactGraph& graph, const Context& context, GraphletCounter& counter) {
  marks_.assign(graph.vertices(), 0);
  seconds_.resize(graph.vertices() + 1);
  others_.resize(graph.vertices() + 1);
  for (std::uint32_t first = 0; first < graph.vertices(); ++first) {
    counter.add(graphlet_key({1, {graph.labels[first]}, 0}));
    const auto neighbours = graph.neighbours_of(first);
    std::size_t left = join(neighbours, first, kOfFirst, 0, marks_, seconds_);
    while (left > 0) {
      const std::uint32_t second = seconds_[--left];
      count_from_edge(graph, first, second, left, context, counter);
    }
    leave(neighbours, kOfFirst, marks_);
  }
}

// What contains first and second, and else only candidates: those `left` of the second, and new ones.
void GraphletEnumerator::count_from_edge(const ContactGraph& graph, std::uint32_t first, std::uint32_t second,
                                         std::size_t left, const Context& context, GraphletCounter& counter) {
  const auto label = [&graph](std::uint32_t vertex) { return std::uint32_t{graph.labels[vertex]}; };
  counter.add(graphlet_key({2, {label(first), label(second)}, edge_bit(0, 1)}));
  std::copy_n(seconds_.begin(), left, others_.begin());
  left = join(graph.neighbours_of(second), first, kOfSecond, left, marks_, others_);
  while (left > 0) {
    context.check_stop();
    const std::uint32_t third = others_[--left];
    // The marks are edges 0-2 and 1-2.
    const Triple triple({label(first), label(second), label(third)}, edge_bit(0, 1) | marks_[third] << 1U);
    counter.add(triple.key());
    // New candidates overwrite those that have been the third vertex.
    const std::size_t fourths = join(graph.neighbours_of(third), first, kOfThird, left, marks_, others_);
    for (std::size_t i = 0; i < fourths; ++i) counter.add(triple.key_with(label(others_[i]), marks_[others_[i]]));
    leave(graph.neighbours_of(third), kOfThird, marks_);
  }
  leave(graph.neighbours_of(second), kOfSecond, marks_);
}

}  // namespace land
