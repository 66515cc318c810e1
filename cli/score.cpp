// land score: the relevance of every feature, whole or in parts.
#include "land/commands/score.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands.h"
#include "cli/kernel_options.h"
#include "cli/listed_option.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/reading.h"
#include "cli/spelling.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/engine/local_run.h"
#include "land/files/files_in_use.h"
#include "land/scores/score_file.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  KernelArguments kernel;
  ScoreOptions options;
  std::string part;
  std::string output;
  bool tsv = false;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string memory;
  bool quiet = false;
};

// "3/8"
void read_part(const std::string& text, ScoreOptions& options) {
  if (text.empty()) return;
  const char* end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, options.part);
  if (first == std::errc() && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, options.parts);
    if (second == std::errc() && rest == end) return;
  }
  throw InputError(fmt::format("--part {}: write it as 1/8, 2/8, ... 8/8", text));
}

void run(const CLI::App& command, const Arguments& arguments) {
  ScoreOptions options = arguments.options;
  read_part(arguments.part, options);
  options.kernel = kernel_of(command, arguments.kernel);
  options.task = task_of(arguments.reading);
  validate(options);
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  if (!arguments.tsv && is_standard_output(arguments.output) && ::isatty(STDOUT_FILENO) == 1) {
    throw InputError("-o -: scores are no text for a terminal; add --tsv, or write to a file or a pipe");
  }
  if (options.permutations > 0 && !arguments.tsv) {
    throw InputError(
        fmt::format("--permutations {}: what they say goes into tables only; add --tsv", options.permutations));
  }
  const auto files = std::make_shared<FilesInUse>();
  announce_output(arguments.output, *files);
  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), memory_of(arguments.memory), files};
  const Table table = read(arguments.reading, context);
  const TargetColumn& column = target_of(table);
  options.kernel.missing = missing_of(arguments.reading, table);
  adjust_for_covariates(table, options.kernel);
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  const Target target = make_target(column, options.task);
  const ScoredPart part = score(local.engine, table, target, options, context);
  std::vector<std::string> warnings;
  std::optional<FeatureChance> chance;
  if (options.permutations > 0) chance = chance_of(local.engine, part, target, options, context, warnings);
  context.check_stop();
  progress.clear();
  const std::string text = arguments.tsv ? to_tsv(part, table, chance ? &*chance : nullptr) : to_bytes(part);
  files->check_unchanged();  // names are read from it to the last
  write_output(arguments.output, text);
  if (arguments.quiet) return;
  tell(table);
  warnings.insert(warnings.begin(), part.warnings.begin(), part.warnings.end());
  for (const std::string& warning : warnings) {
    say(fmt::format("warning: {}\n", escape_controls(spelled(warning))));
  }
  say(fmt::format("wrote {} ({} of {}, {} constant)\n", escape_controls(name_of_output(arguments.output)),
                  counted(part.scores.size(), "feature"), grouped(part.features), grouped(part.scores.constant())));
}

}  // namespace

void add_score(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand("score", "Write the relevance of every feature, or of a part of them");
  add_reading_options(command, arguments->reading);
  add_adjust_option(command, arguments->reading);
  add_task_option(command, arguments->reading);
  add_survival_option(command, arguments->reading);
  add_kernel_options(command, arguments->kernel);
  add_listed(command, "output", arguments->output)->required();
  add_listed(command, "part", arguments->part);
  add_listed(command, "refine", arguments->options.refine);
  add_listed(command, "tsv", arguments->tsv);
  add_listed(command, "permutations", arguments->options.permutations);
  add_listed(command, "seed", arguments->options.seed);
  add_listed(command, "memory", arguments->memory);
  add_listed(command, "threads", arguments->threads)->default_str("all");
  add_listed(command, "block-size", arguments->options.block_size);
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "A relevance is an upper bound of the feature's NHSIC with the target; it is too large by at most\n"
      "the error beside it.\n\n"
      "Examples:\n"
      "  land score genes.csv --target disease -o genes.scores\n"
      "  land select genes.csv --target disease --scores genes.scores\n"
      "      The same as land select by itself, to the bit; the scoring pass is not made again.\n"
      "  land score X.npy --target y.npy --part 3/8 -o part3.scores\n"
      "      One of eight jobs of a cluster; then: land select X.npy --target y.npy --scores part*.scores\n"
      "  land score genes.csv --target disease --refine --tsv -o relevance.tsv\n"
      "      A table of all relevances, exact.\n"
      "  land score genes.csv --target disease --permutations 1000 --tsv -o chance.tsv\n"
      "      The same with p-values and q-values of every feature.");
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace land::cli
