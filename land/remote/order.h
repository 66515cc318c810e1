// What a driver sends to all workers, and what they send back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/engine/score_job.h"
#include "land/remote/block_table.h"
#include "land/scores/scores.h"
#include "land/wire/permutation_message.h"

namespace land {

// To score all features of a data set by some jobs, or against permutations, or both.
struct Order {
  DataSet data;
  std::vector<ScoreJob> jobs;
  std::int64_t keep = 0;  // how many of the likeliest features, by the first job, each worker sends with its scores
  std::optional<PermutationJob> permutations{};

  std::string target() const;  // the name of the first job's, for messages
};
std::string to_message(const Order& order);
// Throws InputError for what is damaged, or comes from another version of the program.
Order read_order(std::string_view message);
// What answers to an order say that they answer.
std::uint64_t key_of_order(std::string_view message);

// The scores of one cell.
struct Answer {
  std::uint64_t order = 0;  // its key
  std::string data;         // names, for messages
  std::string target;
  std::vector<Scores> parts;  // by every job; empty for one that has none of these features
  std::optional<PermutedPart> permuted{};
};
std::string to_message(const Answer& answer);
// Throws InputError for what is damaged, or comes from another version of the program.
Answer read_answer(std::string_view message);

// Features that are sent on their own.
struct Features {
  DataSet data;
  FeatureBlock block;              // with stride 1
  std::vector<std::string> names;  // empty: f0, f1, ...
};
std::string to_message(const Features& features);
// Throws InputError for what is damaged, or whose values are not what their headers say.
Features read_features(std::string_view message);

}  // namespace land
