#include "tests/cli/every_command.h"

#include <sstream>

#include "tests/cli/run_program.h"

namespace land::test {
namespace {

void add(std::vector<std::string> words, std::vector<CommandHelp>& all) {
  CommandHelp help{words, "", {}};
  words.emplace_back("--help");
  help.text = run_land(TemporaryFolder(), words).out;
  words.pop_back();
  std::vector<std::string> subcommands;
  std::istringstream lines(help.text.substr(0, help.text.find("\nExamples:")));
  bool among_subcommands = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) among_subcommands = line == "Subcommands:";
    const std::string word = line.starts_with("  ") ? line.substr(2, line.find(' ', 2) - 2) : "";
    if (word.empty()) continue;
    if (among_subcommands) subcommands.push_back(word);
    std::istringstream names(word);
    for (std::string name; word[0] == '-' && std::getline(names, name, ',');) help.options.insert(name);
  }
  all.push_back(help);
  for (const std::string& subcommand : subcommands) {
    words.push_back(subcommand);
    add(words, all);
    words.pop_back();
  }
}

}  // namespace

std::vector<CommandHelp> every_command() {
  std::vector<CommandHelp> all;
  add({}, all);
  return all;
}

}  // namespace land::test
