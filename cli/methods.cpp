// land methods: what --method may be.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/standard_output.h"
#include "land/methods/method.h"

namespace land::cli {

namespace {

std::string in_lines(bool full) {
  std::string text;
  for (const MethodEntry& entry : methods()) {
    text += fmt::format("{:<12} {}\n", entry.name, entry.help);
    if (full) text += fmt::format("{:<12} cost: {}\n{:<12} {}\n", "", entry.cost, "", entry.reference);
  }
  return text;
}

}  // namespace

void add_methods(CLI::App& program) {
  auto full = std::make_shared<bool>(false);
  CLI::App& command = *program.add_subcommand("methods", "List the methods of land select, a line each");
  command.add_flag("--full", *full,
                   "Also what each costs for d features, n samples and m selected, and who described it");
  command.footer(
      "Examples:\n"
      "  land methods\n"
      "  land select genes.csv --target disease --method mr-nhsic");
  command.callback([full] { write_standard_output(in_lines(*full)); });
}

}  // namespace land::cli
