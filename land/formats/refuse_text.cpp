#include "land/formats/refuse_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/text/printable.h"

namespace land {
namespace {

bool is_awkward(char c) { return c == ',' || c == '\'' || std::iscntrl(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::vector<std::string> as_words(std::span<const std::string> names, std::span<const std::int64_t> numbers) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool awkward = std::any_of(names[k].begin(), names[k].end(), is_awkward);
    words.push_back(awkward ? fmt::format("{}", numbers[k]) : names[k]);
  }
  return words;
}

std::vector<std::string> as_patterns(std::span<const std::string> names) {
  std::vector<std::string> patterns(names.begin(), names.end());
  for (std::string& pattern : patterns) {
    for (char& c : pattern) c = is_awkward(c) ? '?' : c;
  }
  return patterns;
}

std::string rows_look_wrong() { return "rows look like features: add " + option("rows", "features"); }

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
  if (text.after_auto)
    message += fmt::format(" in more words than {} takes (20, or half of the samples)", option("nominal", "auto"));
  if (text.rows_look_like_features)
    message += fmt::format(", and {}; or", rows_look_wrong());
  else
    message += ';';
  const char* them = one ? "it" : "them";
  if (text.count > shown) {
    message += text.after_auto ? "" : fmt::format(" take {} as categories with {},", them, option("nominal", "auto"));
    message += fmt::format(" leave {} out with {}", them, option("exclude"));
  } else {
    message += fmt::format(" take {} as categories with {}{}, leave {} out with {}", them,
                           option("nominal", as_words(text.names, text.features)),
                           text.after_auto ? "" : fmt::format(" (or {})", option("nominal", "auto")), them,
                           option("exclude", as_patterns(text.names)));
  }
  if (!text.rows_are_features) {
    message += fmt::format(", or name the ids with {}", text.ids.empty() ? option("id") : text.ids);
  }
  if (text.may_be_columns) message += fmt::format("; add {} if blanks separate columns", option("delimiter", "space"));
  throw InputError(message);
}

}  // namespace land
