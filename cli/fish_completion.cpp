#include <fmt/format.h>

#include <algorithm>

#include "cli/shells.h"

namespace land::cli {
namespace {

std::string in_quotes(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// When the words before the cursor are those of this command, and of none of its subcommands.
std::string condition(const Command& command) {
  std::string text;
  const std::vector<std::string> words = CLI::detail::split(command.name, ' ');
  for (std::size_t k = 1; k < words.size(); ++k) {
    text += fmt::format("{}__fish_seen_subcommand_from {}", k > 1 ? "; and " : "", words[k]);
  }
  if (!command.subcommands.empty()) {
    text += fmt::format("{}not __fish_seen_subcommand_from {}", text.empty() ? "" : "; and ",
                        fmt::join(command.subcommands, " "));
  }
  return in_quotes(text);
}

// What may be typed for a value: these words, files, or nothing that is known.
std::string value_of(const CommandOption& option) {
  if (!option.words.empty())
    return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(option.words, " "))));
  return option.takes_file ? " -r -F" : " -x";
}

std::string line(const std::string& start, const CommandOption& option) {
  if (option.positional) {
    return option.takes_file ? start + " -F\n"
                             : start + " -a " + in_quotes(fmt::format("{}", fmt::join(option.words, " "))) + "\n";
  }
  std::string text = start;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += value_of(option);
  return text + " -d " + in_quotes(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const std::vector<Command>& tree) {
  const std::string& program = tree.front().name;
  std::string text =
      fmt::format("# fish completion of {0}, made by: {0} completion fish\ncomplete -c {0} -f\n", program);
  for (const Command& command : tree) {
    const std::string start = fmt::format("complete -c {} -n {}", program, condition(command));
    for (const std::string& name : command.subcommands) {
      const std::string full = command.name + " " + name;
      const auto found = std::find_if(tree.begin(), tree.end(), [&](const Command& c) { return c.name == full; });
      text += fmt::format("{} -a {} -d {}\n", start, name, in_quotes(found->description));
    }
    for (const CommandOption& option : command.options) text += line(start, option);
  }
  return text;
}

}  // namespace land::cli
