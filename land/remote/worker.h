// What runs where the cells are: it is told by an order and asked by cells, both bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "land/engine/job_groups.h"
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
  std::string score(std::string_view message, const std::string& where);

  // The likeliest features of all cells so far, once: they are forgotten here. Empty if there are none.
  std::string likeliest();

 private:
  // Offers the features of a block to the shortlist, but for those that repeat one which was offered before: the path
  // leaves copies out. `all`: the scores of the whole block, of which `part` is the job's.
  void offer(const FeatureBlock& block, const Scores& part, std::span<const Score> all);

  Order order_;
  std::uint64_t key_;
  JobGroups groups_;
  GroupScores scores_;
  Shortlist shortlist_;
  std::unordered_set<std::uint64_t> offered_;         // signatures, or keys, of what has been on the shortlist
  std::vector<Score> distinct_;                       // of a block: the scores of copies are negative
  std::unordered_map<FeatureId, std::string> names_;  // of what has been on the shortlist
};

// Some features of a cell, as a message of Features. Throws InputError for a cell that is damaged, and for a feature
// that it has not.
std::string pick(std::string_view message, const std::string& where, std::span<const FeatureId> ids);

}  // namespace land
