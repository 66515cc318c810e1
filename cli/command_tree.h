// The subcommands and options of the program, read from what parses them: completions and the manual are made from this
// and repeat nothing.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace land::cli {

struct CommandOption {
  std::vector<std::string> names;  // {"-m", "--features"}; of a positional {"DATA"}
  bool positional = false;
  bool repeated = false;           // may be given again
  std::string value;               // "M", "FILE", "auto|classification|regression"; empty for a switch
  std::vector<std::string> words;  // the values, if there are only a few
  bool takes_file = false;
  std::string description;
  std::string default_value;
  std::string group;
};

struct Command {
  std::string name;  // "land generate paper"
  std::string description;
  std::string footer;
  std::vector<CommandOption> options;  // positionals first, then by group as --help has them
  std::vector<std::string> subcommands;
};

// `program` itself first, then every subcommand before its own ones.
std::vector<Command> command_tree(const CLI::App& program);

// "paper" of "land generate paper".
std::string last_word(const std::string& name);

}  // namespace land::cli
