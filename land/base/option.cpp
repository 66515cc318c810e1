#include "land/base/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

namespace land {
namespace {

// Control characters: names are escaped before they come into a message, so that none of these is left in them. What
// looks like a mark and is none, in a file's name, stays as it is.
constexpr char kBegin = '\x0E';
constexpr char kNext = '\x1F';
constexpr char kEnd = '\x0F';

using Kind = Mention::Kind;
using What = Mention::What;

std::string mark(What what, std::string_view key, Kind kind, std::string_view value = {}) {
  std::string text{kBegin, static_cast<char>(what), static_cast<char>(kind)};
  text += key;
  if (kind != Kind::kNone) text.append(1, kNext).append(value);
  return text + kEnd;
}

// Between kBegin and kEnd; nullopt if mark() does not make such a text.
std::optional<Mention> read(std::string_view text) {
  if (text.size() < 2 || std::string_view("oac").find(text[0]) == std::string_view::npos ||
      std::string_view("nvwolb").find(text[1]) == std::string_view::npos) {
    return std::nullopt;
  }
  Mention mention{static_cast<What>(text[0]), static_cast<Kind>(text[1]), {}, false, {}};
  std::size_t end = std::min(text.find(kNext), text.size());
  mention.key = text.substr(2, end - 2);
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(kNext, begin), text.size());
    mention.values.emplace_back(text.substr(begin, end - begin));
  }
  mention.equals = mention.key.ends_with('=');
  if (mention.equals) mention.key.pop_back();
  if ((mention.kind == Kind::kNone) != mention.values.empty()) return std::nullopt;
  return mention;
}

template <class Words>
std::string in_a_row(const Words& words) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += kNext;
    text += word;
  }
  return text;
}

}  // namespace

std::string option(std::string_view key) { return mark(What::kOption, key, Kind::kNone); }

std::string option(std::string_view key, std::string_view word) { return mark(What::kOption, key, Kind::kWord, word); }

std::string option(std::string_view key, std::initializer_list<std::string_view> words) {
  return mark(What::kOption, key, Kind::kOneOf, in_a_row(words));
}

std::string option(std::string_view key, std::span<const std::string> names) {
  return mark(What::kOption, key, Kind::kNames, in_a_row(names));
}

std::string option(std::string_view key, std::int64_t number) {
  return mark(What::kOption, key, Kind::kVerbatim, fmt::format("{}", number));
}

std::string option(std::string_view key, double number) {
  return mark(What::kOption, key, Kind::kVerbatim, fmt::format("{}", number));
}

std::string option(std::string_view key, const Verbatim& value) {
  return mark(What::kOption, key, Kind::kVerbatim, value.text);
}

std::string option(std::string_view key, MemorySize value) {
  return mark(What::kOption, key, Kind::kBytes, fmt::format("{}", value.bytes));
}

std::string amount(MemorySize value) { return mark(What::kAmount, "", Kind::kBytes, fmt::format("{}", value.bytes)); }

std::string command(std::string_view name) { return mark(What::kCommand, name, Kind::kNone); }

std::int64_t Mention::bytes() const {
  std::int64_t number = 0;
  const std::string& text = values.front();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string spell(std::string_view text, const Spelling& spelling) {
  std::string spelled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find(kBegin, at), text.size());
    spelled += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const std::size_t end = text.find(kEnd, begin);
    const auto mention = end == std::string_view::npos ? std::nullopt : read(text.substr(begin + 1, end - begin - 1));
    spelled += mention ? spelling(*mention) : std::string(1, kBegin);
    at = mention ? end + 1 : begin + 1;
  }
  return spelled;
}

std::string one_of(std::span<const std::string> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 < words.size() ? ", " : " or ") + words[k];
  }
  return text;
}

}  // namespace land
