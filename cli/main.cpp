// `land`: one file per subcommand, one catch for all of them.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/freed_memory.h"
#include "cli/help.h"
#include "cli/not_enough_memory.h"
#include "cli/shortened_file.h"
#include "cli/spelling.h"
#include "cli/standard_error.h"
#include "cli/standard_output.h"
#include "cli/stop.h"
#include "land/base/error.h"
#include "land/base/version.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

int complain(ExitCode code, const std::string& message) {
  say(fmt::format("land: {}\n",
                  escape_controls(spelled(message))));  // one line, whatever a name or a library puts in it
  return code;
}

// As one would type it in a shell again.
std::string command_line(int argc, char** argv) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  std::string line;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (i > 0) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

// The innermost subcommand that was understood.
const CLI::App& deepest(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

// "land generate paper": whose --help helps.
std::string understood(const CLI::App& program) {
  std::string names = program.get_name();
  for (const CLI::App* app = &program; app != &deepest(program);) {
    app = app->get_subcommands().front();
    names += " " + app->get_name();
  }
  return names;
}

// CLI11 says that a subcommand is missing, and neither which there are nor that it does not know the one that was
// given.
std::string message_of(const CLI::ParseError& error, const CLI::App& program) {
  const CLI::App& app = deepest(program);
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(subcommand->get_name());
  }
  if (names.empty()) return error.what();
  const std::vector<std::string> unknown = app.remaining();
  const std::string last = names.back();
  names.pop_back();
  const std::string use = fmt::format("use {} or {}", fmt::join(names, ", "), last);
  if (unknown.empty()) return "a subcommand is missing: " + use;
  const std::string& word = unknown.front();
  return fmt::format("'{}' is not {} of {}: {}", word, word.starts_with('-') ? "an option" : "a subcommand",
                     understood(program), use);
}

int run(int argc, char** argv) {
  CLI::App program("LAND: the features that best explain a target without repeating each other (NHSIC Lasso).", "land");
  program.set_version_flag("--version", fmt::format("land {}", version()));
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.require_subcommand(1);
  program.formatter(std::make_shared<HelpFormatter>());
  add_select(program, command_line(argc, argv));
  add_score(program);
  add_neighbors(program);
  add_evaluate(program, command_line(argc, argv));
  add_stability(program, command_line(argc, argv));
  add_methods(program);
  add_info(program);
  add_convert(program);
  add_generate(program);
  add_graphlets(program);
  add_completion(program);
  add_manual(program);
  program.footer(
      "Examples:\n"
      "  land select genes.csv --target disease        select features, TSV on the screen\n"
      "  land neighbors genes.csv -t disease -f TP53   the features most redundant with one\n"
      "  land evaluate genes.csv -t disease -m 10,20   how good selections are, over folds\n"
      "  land stability genes.csv -t disease           which features halves of the samples agree on\n"
      "  land methods                                  other ways to select, to compare with\n"
      "  land info genes.csv --target disease          what is in a table\n"
      "  land convert big.npy big.h5 --target y.npy    a store: features encoded once, used in place\n"
      "  land generate paper example.csv               data to try it on\n"
      "  land graphlets proteins.txt proteins.svm      graphs to a table of what occurs in them\n"
      "\n"
      "Every subcommand has its own --help. Exit codes: 0 done, 2 bad input or usage, or not enough\n"
      "memory, disk or rights, 130 interrupted, 1 a bug in land or a certificate that is not valid.");
  try {
    program.parse(argc, argv);
    return kOk;
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    program.exit(help_or_version, text, text);
    write_standard_output(text.str());
    return kOk;
  } catch (const CLI::ParseError& error) {
    return complain(kBadInput, fmt::format("{} (see: {} --help)", message_of(error, program), understood(program)));
  }
}

}  // namespace

}  // namespace land::cli

int main(int argc, char** argv) {
  namespace cli = land::cli;
  try {
    cli::handle_signals();
    cli::end_on_shortened_file();
    cli::keep_freed_memory();
    return cli::run(argc, argv);
  } catch (const land::InputError& error) {
    return cli::complain(cli::kBadInput, error.what());
  } catch (const land::Interrupted&) {
    return cli::complain(cli::kInterrupted, "interrupted, no output was written");
  } catch (const land::NotCertified& error) {
    return cli::complain(cli::kNoResult, error.what());
  } catch (const std::bad_alloc& error) {
    return cli::complain(cli::kBadInput, cli::not_enough_memory(error));
  } catch (const std::exception& error) {
    return cli::complain(cli::kNoResult,
                         fmt::format("internal error: {}; please report it with the command line", error.what()));
  }
}
