// What a user is told about features that hold text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace land {

// Features as they may be typed behind an option. A name that an option would split or a shell misread stands as its
// number.
std::vector<std::string> as_words(std::span<const std::string> names, std::span<const std::int64_t> numbers);
// The same for --exclude, which takes patterns: ? for characters that cannot be typed.
std::vector<std::string> as_patterns(std::span<const std::string> names);

// What is said of a table that seems to be read the wrong way round.
std::string rows_look_wrong();

// A word that often stands for a missing value: . - -- missing none unknown ...
bool may_mean_missing(std::string_view word);

// Features that hold words only, or mostly.
struct RefusedText {
  std::string file;
  bool rows_are_features = false;
  bool after_auto = false;  // --nominal auto did not take them
  std::int64_t count = 0;
  // Of the first few:
  std::vector<std::int64_t> features;
  std::vector<std::string> names;
  std::vector<std::string> words;  // some of each, in brackets
  std::string ids;                 // --id with one of them, if that may be ids
  bool rows_look_like_features = false;
  bool may_be_columns = false;  // all of the table is one column, with blanks in it
};
constexpr std::int64_t kMostNamed = 10;

[[noreturn]] void throw_text(const RefusedText& text);

}  // namespace land
