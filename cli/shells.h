// Completions of the command line: a script for each shell, made from the program's own options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_tree.h"

namespace land::cli {

std::string bash_completion(const std::vector<Command>& tree);
std::string zsh_completion(const std::vector<Command>& tree);
std::string fish_completion(const std::vector<Command>& tree);

// `text` with every `from` replaced.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace land::cli
