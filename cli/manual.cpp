// land manual: the manual page, made from what --help prints.
#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/shells.h"
#include "cli/standard_output.h"
#include "land/base/version.h"

namespace land::cli {
namespace {

// Text of roff: a line may not begin with a point or a quote, and - would become a hyphen.
std::string roff(const std::string& text) {
  std::string line = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (line.starts_with('.') || line.starts_with('\'')) line.insert(0, "\\&");
  return line;
}

// "-m, --features M", names bold, the value in italics.
std::string title(const CommandOption& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!option.positional && !option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
  return text;
}

std::string synopsis(const Command& command) {
  std::string text = "\\fB" + roff(command.name) + R"(\fR [\fIOPTIONS\fR])";
  for (const CommandOption& option : command.options) {
    if (option.positional) text += " \\fI" + roff(option.names[0]) + "\\fR";
  }
  if (!command.subcommands.empty()) text += " \\fISUBCOMMAND\\fR";
  return text;
}

std::string options(const Command& command) {
  std::string text;
  std::string group;
  for (const CommandOption& option : command.options) {
    const std::string heading = option.positional ? "Arguments" : option.group;
    if (heading != group) text += fmt::format(".PP\n\\fI{}\\fR\n", roff(heading));
    group = heading;
    text += fmt::format(".TP\n{}\n{}", title(option), roff(option.description));
    if (!option.positional && !option.default_value.empty()) text += fmt::format(" [{}]", roff(option.default_value));
    text += '\n';
  }
  return text;
}

// Lines that are indented stay as they are; others are text.
std::string footer(const std::string& lines) {
  std::istringstream rest(lines);
  std::string text = ".PP\n";
  bool fixed = false;
  for (std::string line; std::getline(rest, line);) {
    const bool indented = line.starts_with("  ");
    if (indented != fixed) text += indented ? ".PP\n.nf\n" : ".fi\n.PP\n";
    fixed = indented;
    text += line.empty() ? (fixed ? "\n" : ".PP\n") : roff(line) + "\n";
  }
  return text + (fixed ? ".fi\n" : "");
}

std::string page(const std::vector<Command>& tree) {
  const Command& program = tree.front();
  std::string text = fmt::format(".TH {0} 1 \"\" \"{0} {1}\" \"User Commands\"\n", program.name, version());
  const std::string purpose = program.description.substr(program.description.find(": ") + 2);  // without "LAND: "
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", program.name, roff(purpose));
  for (const Command& command : tree) {
    if (command.subcommands.empty()) text += synopsis(command) + "\n.br\n";
  }
  text += ".SH DESCRIPTION\n" + roff(program.description) + "\n" + options(program) + footer(program.footer);
  for (const Command& command : tree) {
    if (&command == &program) continue;
    text += fmt::format(".SH {}\n{}\n.PP\n{}\n", roff(command.name), synopsis(command), roff(command.description));
    text += options(command) + footer(command.footer);
  }
  return text;
}

}  // namespace

void add_manual(CLI::App& program) {
  CLI::App& command = *program.add_subcommand("manual", "Print the manual page of land, for man");
  command.footer(
      "Examples:\n"
      "  land manual > land.1\n"
      "      Read it with `man ./land.1`; in ~/.local/share/man/man1 it is found as `man land`.");
  command.callback([&program] { write_standard_output(page(command_tree(program))); });
}

}  // namespace land::cli
