// The subcommands of the program, as its --help lists them.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace land::test {

struct CommandHelp {
  std::vector<std::string> words;  // {"generate", "paper"}; none for the program itself
  std::string text;                // what --help prints
  std::set<std::string> options;   // "-m", "--features", ...
};

// The program itself, its subcommands, and theirs.
std::vector<CommandHelp> every_command();

}  // namespace land::test
