// What runs where the cells are: it is told by an order and asked by cells, both bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "land/blocks/copy_key.h"
#include "land/engine/block_scores.h"
#include "land/engine/shortlist.h"
#include "land/remote/order.h"

namespace land {

// One per process and order. Not thread-safe.
class Worker {
 public:
  // Throws InputError for an order that is damaged or comes from another version of the program.
  explicit Worker(std::string_view order);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // The answer of a cell. `where`: for messages. Throws InputError for a cell that is damaged or of another data set.
  std::string score(std::string_view cell, const std::string& where);

  // The likeliest features of all cells so far, once: they are forgotten here. Empty if there are none.
  std::string likeliest();

 private:
  Order order_;
  std::uint64_t key_;
  CopyKeys keys_;
  BlockScores scores_;
  Shortlist shortlist_;
  std::unordered_map<FeatureId, std::string> names_;  // of what has been on the shortlist
};

// Some features of a cell, as a message of Features. Throws InputError for a cell that is damaged, and for a feature
// that it has not.
std::string pick(std::string_view cell, const std::string& where, std::span<const FeatureId> ids);

}  // namespace land
