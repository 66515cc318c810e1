// What a table holds, before anything is computed from it: missing and constant features, distinct values, and how the
// features would be stored. What `land info` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/data/table.h"
#include "land/options/options.h"
#include "land/results/target_summary.h"

namespace land {

struct Survey {
  std::string path;
  std::int64_t features = 0;
  std::int64_t samples = 0;
  std::string dtype;    // of the values as they were read: "float64", "uint8", ..., or "encoded"
  std::string storage;  // "mapped" or "memory"
  std::int64_t bytes_stored = 0;

  std::int64_t missing = 0;           // NaN and infinite values
  std::int64_t features_missing = 0;  // features with at least one of them
  std::string first_missing;          // where the first one stands, in the order of features; empty: none

  // Features by their number of distinct finite values; a constant one has at most one.
  struct Distinct {
    std::int64_t constant = 0, two = 0, up_to_64 = 0, up_to_256 = 0, more = 0;
  } distinct;

  // Features by the encoding they have, or would get; constant ones get none. Before they are encoded those with
  // missing values are not counted either.
  struct Encodings {
    std::int64_t codes = 0, float32 = 0, float64 = 0, packed2 = 0, sparse_codes = 0, sparse_values = 0;
  } encodings;
  std::int64_t bytes_encoded = 0;

  // Features that hold text: they count in none of the above.
  struct TextSurvey {
    std::string name;
    std::int64_t cells = 0;  // with text, where others have numbers
    std::int64_t missing = 0;
    std::int64_t distinct = 0;       // words; one more than kMostCategories: that many or more
    std::vector<std::string> words;  // some of them
  };
  std::vector<TextSurvey> text;
  std::string text_advice;  // what to type for them; empty: there are none
  std::string id_column;    // where the ids of samples stand; empty: there are none
  std::int64_t nominal = 0;
  std::vector<std::string> warnings;

  struct TargetSurvey {
    std::string name;
    Task task = Task::kRegression;
    std::vector<std::pair<std::string, std::int64_t>> classes;  // classification: name and number of samples
    double minimum = 0.0, mean = 0.0, maximum = 0.0;            // regression; times of survival
    std::optional<TargetSummary::FollowUp> follow_up{};         // survival
  };
  std::optional<TargetSurvey> target;
};

}  // namespace land
