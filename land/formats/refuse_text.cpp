#include "land/formats/refuse_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "land/error.h"
#include "land/formats/printable.h"

namespace land {
namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)); }

// As a shell takes it.
std::string quoted(const std::string& argument) {
  const bool plain = std::all_of(argument.begin(), argument.end(), [](char c) {
    return is_plain(c) || std::string_view("_.,:-+/@%").find(c) != std::string_view::npos;
  });
  return plain && !argument.empty() ? argument : "'" + argument + "'";
}

bool is_awkward(char c) { return c == ',' || c == '\'' || std::iscntrl(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string as_argument(std::span<const std::string> names, std::span<const std::int64_t> numbers) {
  std::string argument;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool awkward = std::any_of(names[k].begin(), names[k].end(), is_awkward);
    argument += (k == 0 ? "" : ",") + (awkward ? fmt::format("{}", numbers[k]) : names[k]);
  }
  return quoted(argument);
}

std::string as_patterns(std::span<const std::string> names) {
  std::string argument;
  for (const std::string& name : names) {
    argument += argument.empty() ? "" : ",";
    std::transform(name.begin(), name.end(), std::back_inserter(argument),
                   [](char c) { return is_awkward(c) ? '?' : c; });
  }
  return quoted(argument);
}

bool may_mean_missing(std::string_view word) {
  constexpr std::array<std::string_view, 21> kWords = {
      ".",    "..",   "-",   "--",   "---",           "*",       "missing", "none",  "unknown", "unk", "nil", "nd",
      "n.d.", "n.a.", "na.", "<na>", "not available", "#div/0!", "#value!", "#ref!", "#num!"};
  std::string lower(word.substr(0, 20));
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

void throw_text(const RefusedText& text) {
  const bool one = text.count == 1;
  const auto shown = static_cast<std::int64_t>(text.names.size());
  std::string list;
  for (std::size_t k = 0; k < text.names.size(); ++k) {
    list += fmt::format("{}{} ({})", k == 0 ? "" : ", ", in_quotes(text.names[k]), text.words[k]);
  }
  if (text.count > shown) list += fmt::format(" and {} more", text.count - shown);
  std::string message = fmt::format("{}: {}{} {} hold{} text", text.file, text.rows_are_features ? "row" : "column",
                                    one ? "" : "s", list, one ? "s" : "");
  if (text.after_auto) message += " in more words than --nominal auto takes (20, or half of the samples)";
  if (text.rows_look_like_features)
    message += ", and rows look like features: add --rows features; or";
  else
    message += ";";
  const char* them = one ? "it" : "them";
  if (text.count > shown) {
    message += text.after_auto ? "" : fmt::format(" take {} as categories with --nominal auto,", them);
    message += fmt::format(" leave {} out with --exclude", them);
  } else {
    message += fmt::format(" take {} as categories with --nominal {}{}, leave {} out with --exclude {}", them,
                           as_argument(text.names, text.features), text.after_auto ? "" : " (or --nominal auto)", them,
                           as_patterns(text.names));
  }
  if (!text.rows_are_features) {
    message +=
        text.ids.empty() ? ", or name the ids with --id" : fmt::format(", or name the ids with --id {}", text.ids);
  }
  if (text.may_be_columns) message += "; add --delimiter space if blanks separate columns";
  throw InputError(message);
}

}  // namespace land
