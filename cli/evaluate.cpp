// land evaluate: what selections, or the methods that make them, are worth.
#include "land/commands/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.h"
#include "cli/kernel_options.h"
#include "cli/listed_option.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/reading.h"
#include "cli/spelling.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/engine/local_run.h"
#include "land/judging/given_selection.h"
#include "land/methods/method.h"
#include "land/report/json.h"
#include "land/report/tsv.h"
#include "land/results/spelled.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  KernelArguments kernel;
  EvaluateOptions options;
  std::string bins = fmt::to_string(Bins{}.count);
  std::vector<std::string> selections;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string memory;
  std::string output;
  bool quiet = false;
  std::string command_line;
};

EvaluateOptions options_of(const CLI::App& command, const Arguments& arguments) {
  EvaluateOptions options = arguments.options;
  options.select.task = task_of(arguments.reading);
  options.select.kernel = kernel_of(command, arguments.kernel);
  options.select.bins = bins_of(arguments.bins);
  validate(options);
  if (arguments.selections.empty()) check_methods(options.methods, options.select, "methods");
  return options;
}

// What is said about folds means nothing where selections are given.
void check_one_kind(const CLI::App& command, const Arguments& arguments) {
  if (arguments.selections.empty()) return;
  for (const char* name :
       {"--folds", "--repeats", "--seed", "--methods", "--features", "--ridge", "--landmarks", "--bins", "--adjust"}) {
    if (command.count(name) == 0) continue;
    throw InputError(
        fmt::format("--selection and {}: a selection that is made is judged as it is; give one of the two", name));
  }
}

std::string to_text(const Evaluation& evaluation, OutputFormat format) {
  switch (format) {
    case OutputFormat::kTsv:
      return to_tsv(evaluation);
    case OutputFormat::kCsv:
      return to_csv(evaluation);
    case OutputFormat::kJson:
      break;
  }
  return to_json(evaluation);
}

Evaluation evaluate(const Arguments& arguments, const Table& table, const Target& target,
                    const EvaluateOptions& options, const Context& context) {
  if (arguments.selections.empty()) return cross_validate(table, target, options, context);
  std::vector<GivenSelection> selections;
  for (const std::string& path : arguments.selections) selections.push_back(read_selection(path, context));
  LocalRun local(table, options.select.kernel.missing, 0, context);
  return judge(local.engine, local.pool, table, target, selections, options.select, context);
}

void print_summary(const Evaluation& evaluation, const Table& table) {
  say(fmt::format("{}: {} x {}\n", escape_controls(evaluation.data.path), counted(evaluation.data.features, "feature"),
                  counted(evaluation.data.samples, "sample")));
  say(fmt::format("target '{}': {}\n", escaped(evaluation.target.name), to_string(evaluation.target.task)));
  Table told = table;
  told.warnings = evaluation.warnings;
  tell(told);
  const std::string what = evaluation.over_folds
                               ? fmt::format("{} over {}", counted(std::ssize(evaluation.options.methods), "method"),
                                             counted(std::ssize(evaluation.splits), "split"))
                               : counted(std::ssize(evaluation.selections), "selection");
  say(fmt::format("judged {} in {} (reading {})\n", what, duration(evaluation.seconds.total),
                  duration(evaluation.seconds.read)));
}

void run(const CLI::App& command, const Arguments& arguments) {
  check_one_kind(command, arguments);
  EvaluateOptions options = options_of(command, arguments);
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  format_of(arguments.output);
  const auto files = std::make_shared<FilesInUse>();
  announce_output(arguments.output, *files);
  for (const std::string& path : arguments.selections) files->add_input(path);

  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), memory_of(arguments.memory), files};
  const auto begin = std::chrono::steady_clock::now();
  const Table table = read(arguments.reading, context);
  const TargetColumn& column = target_of(table);
  options.select.kernel.missing = missing_of(arguments.reading, table);
  adjust_for_covariates(table, options.select.kernel);
  const Target target = make_target(column, options.select.task);
  const double read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  Evaluation evaluation = spelled(evaluate(arguments, table, target, options, context), as_typed);
  evaluation.command = arguments.command_line;
  evaluation.seconds.read = read_seconds;
  evaluation.seconds.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  context.check_stop();
  progress.clear();
  write_output(arguments.output, to_text(evaluation, format_of(arguments.output)));
  if (!arguments.quiet) print_summary(evaluation, table);
}

}  // namespace

void add_evaluate(CLI::App& program, const std::string& command_line) {
  auto arguments = std::make_shared<Arguments>();
  arguments->command_line = command_line;
  EvaluateOptions& options = arguments->options;
  CLI::App& command = *program.add_subcommand("evaluate", "Judge selections, or methods over folds, without a learner");
  add_reading_options(command, arguments->reading);
  add_task_option(command, arguments->reading);
  add_survival_option(command, arguments->reading);
  add_adjust_option(command, arguments->reading);
  add_listed(command, "selection", arguments->selections)->allow_extra_args(false);
  add_listed(command, "methods", options.methods)->default_str(fmt::format("{}", fmt::join(options.methods, ",")));
  refuse_auto(*add_listed(command, "features", options.features)
                   ->default_str(fmt::format("{}", fmt::join(options.features, ","))));
  add_listed(command, "folds", options.folds.folds);
  add_listed(command, "repeats", options.folds.repeats);
  add_listed(command, "seed", options.folds.seed);
  add_listed(command, "ridge", options.select.ridge);
  add_listed(command, "landmarks", options.select.landmarks);
  add_listed(command, "bins", arguments->bins);
  add_kernel_options(command, arguments->kernel);
  add_listed(command, "output", arguments->output);
  add_listed(command, "memory", arguments->memory);
  add_listed(command, "threads", arguments->threads)->default_str("all");
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "What the columns say of m selected features:\n"
      "  reduction     1 - m / (all features)\n"
      "  independence  1 - (sum over pairs of |correlation|) / (m (m - 1)): 1 if no two are correlated,\n"
      "                1/2 if all are the same\n"
      "  nhsic         how strongly the target depends on all of them together: 0 not at all, 1 fully\n"
      "  stability     over folds: how alike the selections of two splits are, by the mean Jaccard index\n"
      "With --selection all samples count. Over folds a selection sees the samples of its training part\n"
      "alone, and nhsic is that of the held-out part. The _error of a mean is its standard error.\n\n"
      "Examples:\n"
      "  land select genes.csv --target disease -o genes.json\n"
      "  land evaluate genes.csv --target disease --selection genes.json\n"
      "      How little the selected features repeat each other, and how much they tell of the target.\n"
      "  land evaluate data.csv --target y --methods land,mr-nhsic -m 1,2 --folds 5 --repeats 2\n"
      "      Two methods over ten splits, for one and for two features.\n"
      "  land evaluate genes.csv --target disease -m 2 --seed 7 -o folds.json\n"
      "      With all selections and the samples that each did not see: land.evaluate of Python trains\n"
      "      learners on the same splits.");
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace land::cli
