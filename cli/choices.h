// Options that take one of a few words. For an enumeration the words come from to_string and are written nowhere else.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "land/options/options.h"

namespace land::cli {

template <typename Enum>
std::vector<std::string> names(std::initializer_list<Enum> values) {
  std::vector<std::string> list;
  for (const Enum value : values) list.emplace_back(to_string(value));
  return list;
}

// `name` has been checked to be one of names(values).
template <typename Enum>
Enum value_of(const std::string& name, std::initializer_list<Enum> values) {
  for (const Enum value : values) {
    if (to_string(value) == name) return value;
  }
  throw std::logic_error("unchecked choice " + name);
}

// Adds an option whose value, `choice` by default, is one of `words`.
inline CLI::Option* add_choice(CLI::App& command, const std::string& option, std::string& choice,
                               const std::vector<std::string>& words, const std::string& description) {
  return command.add_option(option, choice, description)
      ->check(CLI::IsMember(words).description(""))
      ->type_name(CLI::detail::join(words, "|"))
      ->capture_default_str();
}

}  // namespace land::cli
