#include "cli/listed_option.h"

#include <fmt/format.h>

namespace land::cli {

std::string flags_of(const OptionInfo& info) {
  return info.letter.empty() ? fmt::format("--{}", info.key) : fmt::format("-{},--{}", info.letter, info.key);
}

void take_one_of(CLI::Option& option, const std::vector<std::string>& words) {
  option.check(CLI::IsMember(words).description(""))->type_name(CLI::detail::join(words, "|"));
}

void refuse_auto(CLI::Option& option) {
  option.check(
      [](const std::string& word) {
        return std::string(word == "auto" ? "auto is for land select: give a number" : "");
      },
      "");
}

const OptionInfo& listed_option(const CLI::App& command, std::string_view key) {
  const OptionInfo* info = find_option(key, command_of(command.get_name()));
  if (info == nullptr) throw std::logic_error(fmt::format("{} has no option {}", command.get_name(), key));
  return *info;
}

}  // namespace land::cli
