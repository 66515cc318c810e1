// The subcommands of `land`. Each adds itself to the program and runs when it was asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace land::cli {

void add_select(CLI::App& program, const std::string& command_line);
void add_score(CLI::App& program);
void add_neighbors(CLI::App& program);
void add_evaluate(CLI::App& program, const std::string& command_line);
void add_stability(CLI::App& program, const std::string& command_line);
void add_methods(CLI::App& program);
void add_info(CLI::App& program);
void add_convert(CLI::App& program);
void add_generate(CLI::App& program);
void add_graphlets(CLI::App& program);
void add_completion(CLI::App& program);
void add_manual(CLI::App& program);

}  // namespace land::cli
