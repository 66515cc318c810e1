// Options in messages. The library names an option by its key; what the user calls it, `--features 0` or
// `n_features=0`, is up to the front end. option() gives a mark, text that no user's data holds, to be put into a
// message; spell() puts words in the place of all marks, once, where messages leave the library.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace land {

// A value as it is to be shown: a number, or a name in quotes.
struct Verbatim {
  std::string text;
};

// Memory: the command line counts it in megabytes, rounded down.
struct MemorySize {
  std::int64_t bytes = 0;
};

// The mark of an option, by its key (land/options/option_table.h) or by its letter, perhaps with a value. A key that
// ends in = has it before the value on the command line, too: --task=classification.
std::string option(std::string_view key);                                                 // --missing
std::string option(std::string_view key, std::string_view word);                          // --missing mean
std::string option(std::string_view key, std::initializer_list<std::string_view> words);  // one of them: mean or level
std::string option(std::string_view key, std::span<const std::string> names);             // all of them: g1,g2
std::string option(std::string_view key, std::int64_t number);
std::string option(std::string_view key, double number);
std::string option(std::string_view key, const Verbatim& value);
std::string option(std::string_view key, MemorySize value);

// The mark of an amount of memory on its own: 12M.
std::string amount(MemorySize value);

// The mark of a command: land score, land.score.
std::string command(std::string_view name);

// What a mark says.
struct Mention {
  enum class What : char { kOption = 'o', kAmount = 'a', kCommand = 'c' } what = What::kOption;
  enum class Kind : char { kNone = 'n', kVerbatim = 'v', kWord = 'w', kOneOf = 'o', kNames = 'l', kBytes = 'b' };
  Kind kind = Kind::kNone;
  std::string key;                  // of an option or a command
  bool equals = false;              // the key ended in =
  std::vector<std::string> values;  // one, unless it is kOneOf or kNames

  std::int64_t bytes() const;  // of kBytes
};

using Spelling = std::function<std::string(const Mention&)>;

// `text` with its marks in words.
std::string spell(std::string_view text, const Spelling& spelling);

// "a, b or c"
std::string one_of(std::span<const std::string> words);

}  // namespace land
