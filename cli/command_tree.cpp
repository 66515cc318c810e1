#include "cli/command_tree.h"

#include <algorithm>
#include <cctype>

namespace land::cli {
namespace {

bool has_capitals(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

CommandOption described(const CLI::Option& option) {
  CommandOption made;
  made.positional = option.get_positional();
  made.repeated = option.get_expected_max() > 1;
  made.description = option.get_description();
  made.group = option.get_group();
  const bool is_switch = !made.positional && option.get_type_size() == 0;
  if (made.positional) {
    made.names = {option.get_name()};
  } else {
    for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  }
  if (is_switch) return made;
  // In the names of types, capitals stand for something, and other words are typed as they are.
  made.value = option.get_type_name();
  const std::vector<std::string> kinds = CLI::detail::split(made.value, '|');
  const bool fixed = kinds.size() > 1 && std::none_of(kinds.begin(), kinds.end(), has_capitals);
  if (fixed) made.words = kinds;
  const auto is_file = [](const std::string& kind) { return kind == "FILE" || kind == "FILE..."; };
  made.takes_file = !fixed && (made.positional || std::any_of(kinds.begin(), kinds.end(), is_file));
  made.default_value = option.get_default_str();
  return made;
}

void add_command(const CLI::App& app, const std::string& name, std::vector<Command>& tree) {
  Command command{name, app.get_description(), app.get_footer(), {}, {}};
  const auto add_options = [&](const auto& wanted) {
    for (const CLI::Option* option : app.get_options()) {
      if (wanted(*option)) command.options.push_back(described(*option));
    }
  };
  add_options([](const CLI::Option& option) { return option.get_positional(); });
  for (const std::string& group : app.get_groups()) {
    add_options([&](const CLI::Option& option) { return !option.get_positional() && option.get_group() == group; });
  }
  const std::vector<const CLI::App*> subcommands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* subcommand : subcommands) command.subcommands.push_back(subcommand->get_name());
  tree.push_back(std::move(command));
  for (const CLI::App* subcommand : subcommands) add_command(*subcommand, name + " " + subcommand->get_name(), tree);
}

}  // namespace

std::vector<Command> command_tree(const CLI::App& program) {
  std::vector<Command> tree;
  add_command(program, program.get_name(), tree);
  return tree;
}

std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

}  // namespace land::cli
