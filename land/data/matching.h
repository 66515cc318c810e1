// How samples and target were brought together, and what was left out on the way: what a user must be told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace land {

// How samples and target were brought together.
struct Matching {
  enum class How : std::uint8_t { kNone, kSameTable, kIds, kOrder } how = How::kNone;
  std::int64_t samples = 0;       // of the table
  std::int64_t values = 0;        // of the target's file
  std::int64_t common = 0;        // that are in both
  std::string id_column{};        // of the target's file, if it has a name
  std::string file{};             // the target's
  std::vector<bool> unmatched{};  // which samples are not in it; empty: none
  std::string first_extra{};      // an id of the file that is no sample's; empty: there is none
};
std::string_view to_string(Matching::How how);  // "none", "table", "ids", "order"

// Samples or features that are not used.
struct LeftOut {
  enum class What : std::uint8_t { kSamples, kFeatures } what = What::kSamples;
  std::string reason;  // "by --exclude", the option as a mark; "without a target"
  std::int64_t count = 0;
};

// "joined on ids: 380 of 383 samples, 380 of 492 ids of clinical.csv (column 'PATIENT_ID')"; "in order"; empty for
// kNone.
std::string in_words(const Matching& matching);
// "left out 12 features by --exclude"
std::string in_words(const LeftOut& left_out);

}  // namespace land
