// The scores of a range of features, as bytes and back.
#pragma once

#include <string>
#include <string_view>

#include "land/scores/scores.h"

namespace land {

std::string to_message(const Scores& scores);
// Throws InputError for what is damaged, comes from another version of the program, or is no score.
Scores read_scores_message(std::string_view message);

}  // namespace land
