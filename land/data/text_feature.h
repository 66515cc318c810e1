// A feature of words, which nobody took for categories.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace land {

constexpr std::int64_t kMostCategories = 256;

struct TextFeature {
  std::int64_t feature = 0;
  std::int64_t cells = 0;  // that are neither numbers nor missing
  std::int64_t missing = 0;
  std::int64_t distinct = 0;  // different words, numbers among them; one more than kMostCategories if that is passed
  std::vector<std::string> words;  // the first few of them, in the order of the file
};

}  // namespace land
