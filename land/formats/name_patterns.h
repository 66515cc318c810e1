// Features or samples that a user named: by name, by a pattern, or in a file of names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "land/base/context.h"

namespace land {

class NamePatterns {
 public:
  NamePatterns() = default;
  // Words as given to the option with that key: a name, a pattern of the shell (* ? [abc]), or @FILE with one name or
  // pattern a line. A name that is there as it stands comes before its meaning as a pattern. Throws InputError for a
  // file that cannot be read.
  NamePatterns(std::string key, std::span<const std::string> words, const Context& context = {});
  // The names in a file, one a line, as they stand: no patterns.
  static NamePatterns names_in(std::string key, const std::string& file, const Context& context);

  bool empty() const { return words_.empty(); }
  const std::string& key() const { return key_; }  // of the option
  // Names and patterns, files read, and whether a word came from a file.
  const std::vector<std::string>& words() const { return words_; }
  bool is_from_file(std::size_t word) const { return from_file_[word]; }
  // Whether a word is a pattern, and what it then means, whatever other words do.
  bool is_pattern(std::size_t word) const;
  bool matches_pattern(std::size_t word, const std::string& name) const;

  // The first word that means this name; a look-up, and a comparison for each pattern.
  std::optional<std::size_t> match(std::string_view name) const;

 private:
  void add_file(const std::string& path, bool patterns, const Context& context);
  void add(std::string word, bool from_file, bool pattern);

  std::string key_;
  std::vector<std::string> words_;
  std::vector<bool> from_file_;
  std::unordered_map<std::string, std::size_t> names_;
  std::vector<std::size_t> patterns_;
};

// --include and --exclude.
struct FeatureChoice {
  NamePatterns include;  // empty: all
  NamePatterns exclude;
  bool empty() const { return include.empty() && exclude.empty(); }
  bool takes(std::string_view name) const { return (include.empty() || include.match(name)) && !exclude.match(name); }
};

}  // namespace land
