#include "bindings/messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace land::python {
namespace {

// Options that are keywords of Python, but for the dashes.
constexpr auto kOptions = std::to_array<std::string_view>(
    {"array",        "bases",   "basis",     "by-position",     "delimiter",    "drop-missing-target",
     "exact",        "exclude", "geno",      "exclude-samples", "id",           "include",
     "maf",          "match",   "measure",   "memory",          "method",       "mind",
     "min-distinct", "missing", "na",        "names",           "neighbors",    "nominal",
     "ridge",        "rows",    "samples",   "sigma",           "target-array", "target-id",
     "task",         "threads", "zero-based"});

std::string keyword(std::string_view option) {
  if (option == "target") return "y";
  if (option == "features") return "n_features";
  std::string name(option);
  if (std::find(kOptions.begin(), kOptions.end(), option) == kOptions.end()) return "--" + name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

}  // namespace

std::string in_python(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    if (!message.substr(at).starts_with("--") || (at > 0 && is_of_a_word(message[at - 1]))) {
      text += message[at++];
      continue;
    }
    std::size_t end = at + 2;
    while (end < message.size() && is_of_a_word(message[end])) ++end;
    text += keyword(message.substr(at + 2, end - at - 2));
    at = end;
  }
  return text;
}

}  // namespace land::python
