#include <fmt/format.h>

#include <algorithm>

#include "cli/shells.h"

namespace land::cli {
namespace {

using Words = std::vector<std::string>;

// Within single quotes.
std::string in_quotes(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// Within the brackets or between the colons of an argument of _arguments.
std::string literal(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replaced(std::move(text), special, std::string("\\") + special);
  return text;
}

// ":message:action" for the value; nothing for a switch.
std::string value_of(const CommandOption& option) {
  if (option.value.empty() && !option.positional) return "";
  std::string action;
  if (option.takes_file) action = "_files";
  if (!option.words.empty()) action = fmt::format("({})", fmt::join(option.words, " "));
  return fmt::format(":{}:{}", literal(option.positional ? option.names[0] : option.value), action);
}

// As _arguments takes it: '(-m --features)'{-m+,--features=}'[How many]:M:'
std::string argument(const CommandOption& option) {
  if (option.positional) return in_quotes((option.repeated ? "*" : "") + value_of(option));
  Words specified = option.names;
  if (!option.value.empty()) {
    for (std::string& name : specified) name += name.starts_with("--") ? "=" : "+";
  }
  const std::string what = in_quotes("[" + literal(option.description) + "]" + value_of(option));
  if (option.repeated) {
    Words starred;
    for (const std::string& name : specified) starred.push_back(fmt::format("'*{}'{}", name, what));
    return fmt::format("{}", fmt::join(starred, " "));
  }
  if (specified.size() == 1) return specified[0] + what;
  return fmt::format("'({})'{{{}}}{}", fmt::join(option.names, " "), fmt::join(specified, ","), what);
}

std::string function_of(const std::string& command) { return "_" + replaced(command, " ", "_"); }

std::string function(const std::vector<Command>& tree, const Command& command) {
  std::string text = function_of(command.name) + "() {\n";
  const bool chooses = !command.subcommands.empty();
  if (chooses) {
    text += "  local curcontext=$curcontext state line\n  local -a subcommands=(\n";
    for (const std::string& name : command.subcommands) {
      const std::string full = command.name + " " + name;
      const auto found = std::find_if(tree.begin(), tree.end(), [&](const Command& c) { return c.name == full; });
      text += "    " + in_quotes(name + ":" + replaced(found->description, ":", "\\:")) + "\n";
    }
    text += "  )\n";
  }
  text += chooses ? "  _arguments -C" : "  _arguments -s";
  for (const CommandOption& option : command.options) text += " \\\n    " + argument(option);
  if (chooses) {
    text += " \\\n    '1:subcommand:->subcommand' \\\n    '*::argument:->argument'\n";
    text += "  case $state in\n    subcommand) _describe subcommand subcommands ;;\n";
    text += "    argument)\n      case $line[1] in\n";
    for (const std::string& name : command.subcommands) {
      text += fmt::format("        {}) {} ;;\n", name, function_of(command.name + " " + name));
    }
    text += "      esac ;;\n  esac";
  }
  return text + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& tree) {
  const std::string& program = tree.front().name;
  std::string text = fmt::format("#compdef {0}\n# zsh completion of {0}, made by: {0} completion zsh\n\n", program);
  for (const Command& command : tree) text += function(tree, command);
  // As a file of $fpath the script is the function; else it defines it.
  return text + fmt::format(R"(if [[ $funcstack[1] == _{0} ]]; then
  _{0} "$@"
else
  compdef _{0} {0}
fi
)",
                            program);
}

}  // namespace land::cli
