// Every option of the commands that read a table, once: what the front ends call it, its default, its range and its
// help. The command line adds its options from here, Python takes its names, defaults and reference, and the JSON of a
// result the fields of `options`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "land/options/options.h"

namespace land {

inline constexpr std::int64_t kNeighborsNamed = 10;      // k of land neighbors
inline constexpr std::int64_t kMostDistinctAsked = 256;  // that --min-distinct may ask for

// A set of commands.
enum Commands : std::uint8_t {
  kInSelect = 1U,
  kInScore = 2U,
  kInNeighbors = 4U,
  kInInfo = 8U,
  kInConvert = 16U,
  kInEvaluate = 32U,
  kInStability = 64U,
  kInAll = 127U,
};

enum class OptionKind : std::uint8_t {
  kInteger,
  kNumber,
  kChoice,  // one of a few words
  kSwitch,
  kText,
  kNames,    // several, between commas on the command line
  kNumbers,  // the same
};

// monostate: none.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>>;

// What a number may be, and what is said of any other: {0} is the least, {1} the most.
struct OptionRange {
  double least = 0.0;
  double most = 0.0;
  std::string_view refusal;
  std::string_view above{};  // of what is too large, where that differs
};

struct OptionInfo {
  std::string_view key;       // "features": --features on the command line, and in option() of land/base/option.h
  std::string_view letter{};  // "m": also -m
  unsigned commands = kInAll;
  OptionKind kind = OptionKind::kText;
  std::string_view value{};  // what the help of the command line calls its value: "M", "FILE"; of a choice its words
  std::vector<std::string> choices{};
  std::string_view word{};             // that may stand for a number: "auto"
  std::string_view group = "Running";  // in the help of the command line
  std::string_view help{};             // on the command line, and in Python's reference unless that has its own
  bool shows_default = false;          // in the help of the command line
  std::string_view python{};           // the keyword; empty: there is none
  std::string_view python_help{};      // empty: `help`
  std::string_view json{};             // the field of the JSON's `options`; empty: none
  OptionValue (*value_of)(const SelectOptions& options) = nullptr;  // for the JSON
  OptionValue fallback{};                                           // if it is not given
  std::optional<OptionRange> range{};
};

// In the order of the JSON's fields and of Python's reference.
const std::vector<OptionInfo>& option_table();

// The first with that key, of a command if several have one; nullptr if there is none.
const OptionInfo* find_option(std::string_view key, unsigned commands = kInAll);

// The set of one: "select", "score", ...; 0 of a command that is not here.
unsigned command_of(std::string_view name);

// Throws InputError that names the option when the value is out of the table's range.
void check_range(std::string_view key, std::int64_t value);
void check_range(std::string_view key, double value);

}  // namespace land
