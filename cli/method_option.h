// The option that says how features are selected.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace land::cli {

// Takes one of the methods that there are.
void add_method(CLI::App& command, std::string& method);

}  // namespace land::cli
