#include "land/formats/name_patterns.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/mapped_file.h"
#include "land/formats/name_lines.h"

namespace land {

NamePatterns::NamePatterns(std::string key, std::span<const std::string> words, const Context& context)
    : key_(std::move(key)) {
  for (const std::string& word : words) {
    if (word.size() > 1 && word.front() == '@') {
      add_file(word.substr(1), true, context);
    } else {
      add(word, false, true);
    }
  }
}

NamePatterns NamePatterns::names_in(std::string key, const std::string& file, const Context& context) {
  NamePatterns names;
  names.key_ = std::move(key);
  names.add_file(file, false, context);
  return names;
}

void NamePatterns::add_file(const std::string& path, bool patterns, const Context& context) {
  const NameLines lines(open_bytes(path, context));
  const std::size_t before = words_.size();
  for (std::int64_t line = 0; line < lines.size(); ++line) {
    std::string word = lines.at(line);
    if (line == 0 && word.starts_with("\xEF\xBB\xBF")) word.erase(0, 3);
    word.erase(word.find_last_not_of(" \t") + 1);
    add(std::move(word), true, patterns);
  }
  if (words_.size() == before) throw InputError(fmt::format("{}: the file holds no names", option(key_, path)));
}

void NamePatterns::add(std::string word, bool from_file, bool pattern) {
  const std::size_t place = words_.size();
  if (word.empty() || !names_.emplace(word, place).second) return;
  if (pattern && word.find_first_of("*?[") != std::string::npos) patterns_.push_back(place);
  from_file_.push_back(from_file);
  words_.push_back(std::move(word));
}

bool NamePatterns::is_pattern(std::size_t word) const {
  return std::binary_search(patterns_.begin(), patterns_.end(), word);
}

bool NamePatterns::matches_pattern(std::size_t word, const std::string& name) const {
  return fnmatch(words_[word].c_str(), name.c_str(), 0) == 0;
}

std::optional<std::size_t> NamePatterns::match(std::string_view name) const {
  const std::string text(name);
  if (const auto found = names_.find(text); found != names_.end()) return found->second;
  for (const std::size_t place : patterns_) {
    if (matches_pattern(place, text)) return place;
  }
  return std::nullopt;
}

}  // namespace land
