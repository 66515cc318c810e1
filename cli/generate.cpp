// land generate: tables with known signals, to try things on.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/generate/write_synthetic.h"

namespace land::cli {

namespace {

struct Arguments {
  std::string path;
  PaperOptions paper;
  PlantedOptions planted;
  std::string type = "float";
  bool regression = false;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool quiet = false;
};

void run(const SyntheticTable& table, const Arguments& arguments) {
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested()};
  const std::vector<std::string> files = write_synthetic(table, arguments.path, context);
  progress.clear();
  if (arguments.quiet) return;
  say(fmt::format("wrote {} ({} x {})\n", fmt::join(files, ", "), counted(table.features(), "feature"),
                  counted(table.samples(), "sample")));
}

void add_common_options(CLI::App& command, Arguments& arguments, std::uint64_t& seed) {
  command
      .add_option("OUT", arguments.path,
                  "The table: .csv, .tsv, .npy (the target goes to NAME.y.npy) or .h5, a store with the target in it")
      ->required();
  command.add_option("--seed", seed, "Another seed, another table")->type_name("N")->capture_default_str();
  command.add_option("--threads", arguments.threads, "Threads; the table does not depend on it")
      ->type_name("N")
      ->default_str("all");
  command.add_flag("-q,--quiet", arguments.quiet, "No progress and no summary on standard error");
}

const char* const kPaperExamples =
    "  land generate paper example.csv\n"
    "      The synthetic data of the paper: 2,000 features, 300 samples, target Y.\n";
const char* const kTableExamples =
    "  land generate table big.npy --features 276322 --samples 302\n"
    "      Two classes, 15 mean shifts and 15 variance ratios among noise; big.y.npy is the target.\n"
    "  land generate table huge.h5 --features 1062420 --samples 13794 --type counts\n"
    "      Straight to a store, 14.7 GB, in little memory.\n"
    "  land generate table counts.npy --features 5000 --samples 10000 --type counts --classes 5\n"
    "  land generate table t.csv --features 1000 --samples 200 --regression --copies 300 --copy-noise 0";

void add_paper(CLI::App& generate, const std::shared_ptr<Arguments>& arguments) {
  CLI::App& command = *generate.add_subcommand(
      "paper",
      "Y = X1 exp(X2) + X3 + 0.1 E, X ~ N(0, 1); the second half of the features are near copies of the first");
  PaperOptions& options = arguments->paper;
  add_common_options(command, *arguments, options.seed);
  command.add_option("--features", options.features, "Features, copies included")
      ->type_name("D")
      ->capture_default_str();
  command.add_option("--samples", options.samples, "Samples")->type_name("N")->capture_default_str();
  command.footer(std::string("Examples:\n") + kPaperExamples);
  command.callback([arguments] { run(SyntheticTable(arguments->paper), *arguments); });
}

void add_table(CLI::App& generate, const std::shared_ptr<Arguments>& arguments) {
  CLI::App& command =
      *generate.add_subcommand("table", "Noise of any size with planted linear, nonlinear and copied signals");
  PlantedOptions& options = arguments->planted;
  add_common_options(command, *arguments, options.seed);
  command.add_option("--features", options.features, "Features, planted ones and copies included")
      ->type_name("D")
      ->required();
  command.add_option("--samples", options.samples, "Samples")->type_name("N")->required();
  add_choice(command, "--type", arguments->type, {"float", "counts"},
             "float, N(0, 1), or counts, 0 to 255 with 3 to about 64 distinct values");
  CLI::Option* classes = command.add_option("--classes", options.classes, "Classes of the target, of equal size")
                             ->type_name("C")
                             ->capture_default_str();
  command.add_flag("--regression", arguments->regression, "A numeric target instead")->excludes(classes);
  const char* group = "Signals";
  command
      .add_option("--mean-shifts", options.mean_shifts,
                  "Features whose mean differs in one class (regression: linear terms)")
      ->type_name("K")
      ->capture_default_str()
      ->group(group);
  command.add_option("--shift", options.shift, "By how many standard deviations (regression: weight of a linear term)")
      ->type_name("SD")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--variance-ratios", options.variance_ratios,
                  "Features whose variance differs in one class (regression: sine and square terms)")
      ->type_name("K")
      ->capture_default_str()
      ->group(group);
  command.add_option("--ratio", options.ratio, "By what factor (regression: weight of a nonlinear term, plus 1)")
      ->type_name("R")
      ->capture_default_str()
      ->group(group);
  command.add_option("--copies", options.copies, "Near copies of the planted features, in turn: the last features")
      ->type_name("K")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--copy-noise", options.copy_noise,
                  "How far a copy is from its original, in standard deviations; 0: the same")
      ->type_name("SD")
      ->capture_default_str()
      ->group(group);
  command.footer(std::string("Examples:\n") + kTableExamples);
  command.callback([arguments] {
    PlantedOptions planted = arguments->planted;
    planted.counts = arguments->type == "counts";
    if (arguments->regression) planted.classes = 0;
    run(SyntheticTable(planted), *arguments);
  });
}

}  // namespace

void add_generate(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand("generate", "Write tables with known signals, to try things on");
  command.require_subcommand(1);
  add_paper(command, arguments);
  add_table(command, arguments);
  command.footer(
      std::string("What was planted is written to NAME.truth.json. The same options give the same table on every\n"
                  "machine.\n"
                  "\n"
                  "Examples:\n") +
      kPaperExamples + kTableExamples);
}

}  // namespace land::cli
