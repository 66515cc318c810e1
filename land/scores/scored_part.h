// Scores of some features, and what they depend on besides the values of these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/scores/scores.h"

namespace land {

struct ScoredPart {
  std::string path;  // of the file they stand in
  std::string version;
  std::string settings;      // kernel options, in words
  std::string target;        // its name
  std::uint64_t target_key;  // of its values
  std::int64_t features = 0;
  std::int64_t samples = 0;
  bool refined = false;
  Scores scores;
  std::vector<std::string> warnings{};  // of what was found on the way; not in the file
};

}  // namespace land
