// Options of the command line from the table (land/options/option_table.h).
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "land/options/option_table.h"

namespace land::cli {

// "-m,--features"
std::string flags_of(const OptionInfo& info);

// The option with that key of the subcommand, which must be in the table.
const OptionInfo& listed_option(const CLI::App& command, std::string_view key);

// Lets an option take one of `words`.
void take_one_of(CLI::Option& option, const std::vector<std::string>& words);

// Of an option for numbers in a command that cannot say how many by chance: refuses auto in so many words.
void refuse_auto(CLI::Option& option);

// Adds it. What `value` holds is its default.
template <typename T>
CLI::Option* add_listed(CLI::App& command, std::string_view key, T& value) {
  const OptionInfo& info = listed_option(command, key);
  const std::string help(info.help);
  const std::string group(info.group);
  if constexpr (std::is_same_v<T, bool>) {
    return command.add_flag(flags_of(info), value, help)->group(group);
  } else {
    CLI::Option* option = command.add_option(flags_of(info), value, help);
    // A list of numbers may also be one text, which its command takes apart.
    const bool is_list =
        info.kind == OptionKind::kNames || (info.kind == OptionKind::kNumbers && !std::is_same_v<T, std::string>);
    if (is_list) option->delimiter(',')->allow_extra_args(false);
    if (!info.choices.empty()) {
      take_one_of(*option, info.choices);
    } else {
      option->type_name(std::string(info.value));
    }
    if (info.shows_default) option->capture_default_str();
    return option->group(group);
  }
}

}  // namespace land::cli
