#include "land/formats/name_patterns.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <utility>

#include "land/error.h"
#include "land/formats/mapped_file.h"
#include "land/formats/name_lines.h"

namespace land {

NamePatterns::NamePatterns(std::string option, std::span<const std::string> words, const Context& context)
    : option_(std::move(option)) {
  for (const std::string& word : words) {
    if (word.size() < 2 || word.front() != '@') {
      add(word, false);
      continue;
    }
    const std::string path = word.substr(1);
    const NameLines lines(open_bytes(path, context));
    const std::size_t before = words_.size();
    for (std::int64_t line = 0; line < lines.size(); ++line) add(lines.at(line), true);
    if (words_.size() == before) throw InputError(fmt::format("{} {}: the file holds no names", option_, word));
  }
}

void NamePatterns::add(std::string word, bool from_file) {
  if (word.empty()) return;
  const std::size_t place = words_.size();
  if (word.find_first_of("*?[") != std::string::npos) patterns_.push_back(place);
  names_.emplace(word, place);
  from_file_.push_back(from_file);
  words_.push_back(std::move(word));
}

std::optional<std::size_t> NamePatterns::match(std::string_view name) const {
  const std::string text(name);
  if (const auto found = names_.find(text); found != names_.end()) return found->second;
  for (const std::size_t place : patterns_) {
    if (fnmatch(words_[place].c_str(), text.c_str(), 0) == 0) return place;
  }
  return std::nullopt;
}

}  // namespace land
