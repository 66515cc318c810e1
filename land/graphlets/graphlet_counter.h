// How often each graphlet occurs in a graph, for one graph after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "land/graphlets/graphlet_key.h"
#include "land/graphlets/huge_pages.h"

namespace land {

// Numbers the graphlets in the order in which they are first met, in any of the graphs. One thread has one counter.
// Memory: 40 to 80 bytes per different graphlet.
class GraphletCounter {
 public:
  struct Count {
    std::uint32_t graphlet;  // its number
    std::uint32_t times;     // kMostTimes + 1: more than kMostTimes
  };
  // Four times that fits 32 bits.
  static constexpr std::uint32_t kMostTimes = (1U << 30) - 1;

  GraphletCounter();

  // One more occurrence.
  void add(GraphletKey key) {
    waiting_[waiting_count_++] = key;
    if (waiting_count_ == waiting_.size()) count_waiting();
  }

  // What was counted since the last call, in no particular order.
  std::vector<Count> take();

  // By number.
  const std::vector<GraphletKey>& keys() const { return keys_; }

 private:
  struct Slot {
    GraphletKey key;
    std::uint32_t number;  // kNobody: the slot is free
    std::uint32_t place;   // where it would be in counts_, if it has been met in this graph
  };

  using Slots = std::vector<Slot, HugePages<Slot>>;

  std::size_t slot_of(GraphletKey key) const { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> shift_); }
  void count_waiting();
  void grow();

  // Keys wait until there are many, so that the memory of the next ones can be fetched while one is counted.
  std::array<GraphletKey, 1024> waiting_;
  std::size_t waiting_count_ = 0;
  Slots slots_;  // a hash table with linear probing, at most half full
  int shift_;
  std::vector<GraphletKey> keys_;
  std::vector<Count> counts_;
};

}  // namespace land
