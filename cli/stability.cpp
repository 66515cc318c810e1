// land stability: which features are selected again and again from halves of the samples.
#include "land/commands/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "cli/commands.h"
#include "cli/kernel_options.h"
#include "cli/listed_option.h"
#include "cli/method_option.h"
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
  StabilityOptions options;
  std::string bins = fmt::to_string(Bins{}.count);
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string memory;
  std::string output;
  bool quiet = false;
  std::string command_line;
};

StabilityOptions options_of(const CLI::App& command, const Arguments& arguments) {
  StabilityOptions options = arguments.options;
  options.select.task = task_of(arguments.reading);
  options.select.kernel = kernel_of(command, arguments.kernel);
  options.select.bins = bins_of(arguments.bins);
  validate(options);
  check_methods({&options.select.method, 1}, options.select);
  return options;
}

std::string to_text(const Stability& stability, OutputFormat format) {
  switch (format) {
    case OutputFormat::kTsv:
      return to_tsv(stability);
    case OutputFormat::kCsv:
      return to_csv(stability);
    case OutputFormat::kJson:
      break;
  }
  return to_json(stability);
}

void print_summary(const Stability& stability, const Table& table) {
  say(fmt::format("{}: {} x {}\n", escape_controls(stability.data.path), counted(stability.data.features, "feature"),
                  counted(stability.data.samples, "sample")));
  say(fmt::format("target '{}': {}\n", escaped(stability.target.name), to_string(stability.target.task)));
  Table told = table;
  told.warnings = stability.warnings;
  tell(told);
  say(fmt::format("{} of {:.1f} features on average ({} asked for)\n", counted(stability.selections, "selection"),
                  stability.mean_selected, stability.asked));
  if (stability.threshold) {
    const auto stable = std::count_if(stability.features.begin(), stability.features.end(),
                                      [](const FeatureFrequency& feature) { return feature.stable; });
    say(fmt::format("{} at {} or above: {:.2g} rarely selected ones expected among them at most\n",
                    counted(stable, "stable feature"), *stability.threshold, *stability.bound));
  }
  say(fmt::format("done in {} (reading {})\n", duration(stability.seconds.total), duration(stability.seconds.read)));
}

void run(const CLI::App& command, const Arguments& arguments) {
  StabilityOptions options = options_of(command, arguments);
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  format_of(arguments.output);
  const auto files = std::make_shared<FilesInUse>();
  announce_output(arguments.output, *files);

  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), memory_of(arguments.memory), files};
  const auto begin = std::chrono::steady_clock::now();
  const Table table = read(arguments.reading, context);
  const TargetColumn& column = target_of(table);
  options.select.kernel.missing = missing_of(arguments.reading, table);
  adjust_for_covariates(table, options.select.kernel);
  const Target target = make_target(column, options.select.task);
  const double read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  LocalRun local(table, options.select.kernel.missing, options.select.block_size, context);
  Stability stability = spelled(find_stable(local.engine, local.pool, table, target, options, context), as_typed);
  stability.command = arguments.command_line;
  stability.seconds.read = read_seconds;
  stability.seconds.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  context.check_stop();
  progress.clear();
  write_output(arguments.output, to_text(stability, format_of(arguments.output)));
  if (!arguments.quiet) print_summary(stability, table);
}

}  // namespace

void add_stability(CLI::App& program, const std::string& command_line) {
  auto arguments = std::make_shared<Arguments>();
  arguments->command_line = command_line;
  StabilityOptions& options = arguments->options;
  CLI::App& command =
      *program.add_subcommand("stability", "Which features are selected again and again from halves of the samples");
  add_reading_options(command, arguments->reading);
  add_task_option(command, arguments->reading);
  add_survival_option(command, arguments->reading);
  add_adjust_option(command, arguments->reading);
  refuse_auto(*add_listed(command, "features", options.features));
  add_listed(command, "pairs", options.pairs);
  add_listed(command, "max-false", options.max_false);
  add_listed(command, "seed", options.seed);
  add_method(command, options.select.method);
  add_listed(command, "ridge", options.select.ridge);
  add_listed(command, "landmarks", options.select.landmarks);
  add_listed(command, "bins", arguments->bins);
  add_kernel_options(command, arguments->kernel);
  add_listed(command, "output", arguments->output);
  add_listed(command, "memory", arguments->memory);
  add_listed(command, "threads", arguments->threads)->default_str("all");
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "What the columns say of a feature that was selected at least once:\n"
      "  frequency        the share of the 2 x PAIRS selections that have it\n"
      "  group_frequency  the sum of that over the feature and its near copies, which share what one\n"
      "                   of them would have had\n"
      "  group_members    those: features whose R with it is above 0.9\n"
      "  stable           whether its frequency reaches the threshold\n"
      "The threshold is the smallest from 0.6 on at which V features that are selected no more often\n"
      "than by chance are expected at most (Shah and Samworth 2013): docs/inference/stability.md.\n\n"
      "Examples:\n"
      "  land stability genes.csv --target disease\n"
      "  land stability genes.csv --target disease -m 5 --pairs 25 --max-false 2 -o stable.json\n"
      "      Five features from each of 50 halves, and a threshold that lets two by, on average.\n"
      "  land stability data.csv --target y --method mr-nhsic --seed 7");
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace land::cli
