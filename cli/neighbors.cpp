// land neighbors: the features most redundant with one.
#include "land/commands/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/kernel_options.h"
#include "cli/listed_option.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/reading.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/engine/local_run.h"
#include "land/formats/find_features.h"
#include "land/report/tsv.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  KernelArguments kernel;
  NeighborOptions options;
  std::string feature;
  std::string output;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool quiet = false;
};

void run(const CLI::App& command, const Arguments& arguments) {
  NeighborOptions options = arguments.options;
  options.kernel = kernel_of(command, arguments.kernel);
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  const auto files = std::make_shared<FilesInUse>();
  announce_output(arguments.output, *files);
  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), 0, files};
  const Table table = read(arguments.reading, context);
  options.kernel.missing = missing_of(arguments.reading, table);
  adjust_for_covariates(table, options.kernel);
  const std::int64_t feature = find_features(table, "feature", {&arguments.feature, 1}).front();
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  const Neighbors found = neighbors(local.engine, local.pool, table, feature, options, context);
  context.check_stop();
  progress.clear();
  write_output(arguments.output, to_tsv(found));
  if (arguments.quiet) return;
  tell(table);
  say(fmt::format("{}: {} of {}; R was computed for {}, a bound settled the others\n", escape_controls(table.path),
                  counted(std::ssize(found.neighbors), "neighbour"), escaped(found.name),
                  grouped(found.features_refined)));
}

}  // namespace

void add_neighbors(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand("neighbors", "Find the features that are most redundant with one");
  add_reading_options(command, arguments->reading);
  add_adjust_option(command, arguments->reading);
  add_kernel_options(command, arguments->kernel);
  add_listed(command, "feature", arguments->feature)->required();
  add_listed(command, "neighbors", arguments->options.count);
  add_listed(command, "output", arguments->output);
  add_listed(command, "threads", arguments->threads)->default_str("all");
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "Redundancy R is NHSIC of two features: 0 if they are independent, 1 if they are copies. Nothing\n"
      "is approximated: every feature is bounded, and those that could be among the K are computed in\n"
      "double.\n\n"
      "Examples:\n"
      "  land neighbors genes.csv --target disease --feature TP53\n"
      "      The column of the target is no feature, as in land select.\n"
      "  land neighbors expression.tsv.gz --rows features --feature TP53 -k 10\n"
      "      A row is a feature; the ten nearest.\n"
      "  land neighbors expression.tsv.gz --rows features --feature TP53 --adjust clinical.csv:batch\n"
      "      What the two have in common beyond the batch.");
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace land::cli
