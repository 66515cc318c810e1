// Permutations that are to be scored, and what comes of it for a range of features, as bytes and back.
#pragma once

#include <string>
#include <string_view>

#include "land/base/feature_id.h"
#include "land/permuting/permutation_job.h"

namespace land {

std::string to_message(const PermutationJob& job);
// Throws InputError for what is damaged, or comes from another version of the program.
PermutationJob read_permutation_job(std::string_view message);

// Of features from `first` to before `last`.
struct PermutedPart {
  FeatureId first = 0;
  FeatureId last = 0;
  PermutedScores scores;
};
std::string to_message(const PermutedPart& part);
// Throws InputError for what is damaged or impossible.
PermutedPart read_permuted_part(std::string_view message);

}  // namespace land
