// land select: from a table and a target to the selected features.
#include "land/commands/select.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/choices.h"
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
#include "cli/target_outputs.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/commands/score.h"
#include "land/commands/write_selected.h"
#include "land/engine/local_run.h"
#include "land/files/files_in_use.h"
#include "land/methods/method.h"
#include "land/report/certified.h"
#include "land/results/spelled.h"
#include "land/scores/score_file.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  SelectOptions options;
  KernelArguments kernel;
  std::string features = fmt::to_string(SelectOptions{}.features);
  std::string bins = fmt::to_string(Bins{}.count);
  std::vector<std::string> scores;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::string memory;
  std::string output;
  std::string table;
  bool quiet = false;
  std::string command_line;
};

SelectOptions options_of(const CLI::App& command, const Arguments& arguments) {
  SelectOptions options = arguments.options;
  options.task = task_of(arguments.reading);
  options.kernel = kernel_of(command, arguments.kernel);
  options.bins = bins_of(arguments.bins);
  set_features(arguments.features, options);
  options = adjusted(std::move(options));
  validate(options);
  check_methods({&options.method, 1}, options);
  return options;
}

void write_table(const Result& result, const Table& table, const std::string& path, const Context& context) {
  std::vector<std::int64_t> features;
  for (const SelectedFeature& feature : result.selected) features.push_back(table.feature_numbers.find(feature.index));
  write_selected(table, features, result.options.kernel.missing, path, context);
}

// Why the task is what it is, from what the column looks like.
std::string task_reason(const TargetColumn& column, const Target& target, Task asked) {
  if (target.task == Task::kSurvival) return "from times and events";
  if (asked != Task::kAuto) return "as asked";
  if (column.is_text()) return "its values are text";
  if (!target.has_classes()) return "its values are numbers";
  if (target.class_names.size() == 2) return "it has two distinct values";
  return fmt::format("it has {} distinct whole numbers", target.class_names.size());
}

std::string stopped_in_words(const Result& result) {
  if (result.stopped == "m_reached") return "as many as asked for";
  if (result.stopped == "lambda_reached" && result.selected.empty())
    return "chance alone comes as far as the most relevant";
  if (result.stopped == "lambda_reached") return "chance alone comes as far as what is left";
  if (result.stopped == "lambda_zero") return "lambda reached 0: no further feature adds anything";
  if (result.stopped == "no_candidate") return "no candidate is left: all others, if any, are constant or repeat these";
  return std::string(find_method(result.options.method).help);
}

std::string certificate_in_words(const CertificateSummary& certificate) {
  return fmt::format(
      "certificate: {}; largest violation {:.1e} of max f (allowed {:.0e}) over {}, {} by value and {} by bound",
      certificate.valid ? "valid, this is the optimum" : "NOT VALID, please report it", certificate.max_violation,
      certificate.tolerance, counted(certificate.knots_checked, "knot"),
      counted(certificate.features_evaluated, "feature"), grouped(certificate.features_bounded));
}

// What p and q are about, and what not.
std::string permutations_in_words(const PermutationSummary& permutations) {
  std::string text =
      fmt::format("{}{}", counted(permutations.made, "permutation"), permutations.are_all ? ", all there are" : "");
  if (permutations.within_strata) text += " within strata";
  if (permutations.approximate) text += ", approximate since a covariate is numeric";
  if (permutations.ended_early) text += ", ended when 20 of them had come as far as the most relevant feature";
  text += fmt::format(": p = {:.2g} for the most relevant feature", permutations.p_of_largest);
  if (permutations.least_lambda) text += fmt::format("; lambda ends at {:.4g}", *permutations.least_lambda);
  return text + "; p and q are of each feature's own relevance, whatever was selected before it";
}

std::string adjustment_in_words(const Result::AdjustmentSummary& adjustment) {
  std::string names;
  for (const auto& covariate : adjustment.covariates) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", in_quotes(covariate.name),
                         covariate.levels > 0 ? fmt::format("{} levels", covariate.levels) : "numeric");
  }
  return fmt::format("adjusted for {}, {}; {:.3g} % of the target's norm is left\n", names,
                     escape_controls(in_words(adjustment.matching)), 100.0 * adjustment.target_left);
}

std::string target_in_words(const TargetSummary& target, const std::string& reason) {
  std::string what(to_string(target.task));
  if (!target.classes.empty()) what += fmt::format(" with {} classes", target.classes.size());
  if (target.follow_up) {
    what += fmt::format(" with {}, median time {:.4g}", counted(target.follow_up->events, "event"),
                        target.follow_up->median_time);
  }
  return fmt::format("target '{}': {} ({})\n", escaped(target.name), what, reason);
}

// What all targets have in common.
void print_data(const Result& result) {
  say(fmt::format("{}: {} x {}\n", escape_controls(result.data.path), counted(result.data.features, "feature"),
                  counted(result.data.samples, "sample")));
  if (!result.data.id_column.empty()) say(fmt::format("ids: column {}\n", in_quotes(result.data.id_column)));
  say(fmt::format("samples and target: {}\n", escape_controls(in_words(result.data.matching))));
  if (result.adjustment) say(adjustment_in_words(*result.adjustment));
  for (const LeftOut& left_out : result.data.left_out) {
    say(fmt::format("{}\n", escape_controls(in_words(left_out))));
  }
}

void print_selected(const Result& result, const std::string& reason) {
  say(target_in_words(result.target, reason));
  say(fmt::format("selected {}: {}\n", counted(static_cast<std::int64_t>(result.selected.size()), "feature"),
                  stopped_in_words(result)));
  if (result.permutations) say(fmt::format("{}\n", permutations_in_words(*result.permutations)));
  if (result.certificate) say(fmt::format("{}\n", certificate_in_words(*result.certificate)));
  for (const std::string& warning : result.warnings) say(fmt::format("warning: {}\n", escape_controls(warning)));
}

// Letting go of a large file takes as long as writing the result.
std::jthread release(Table table) {
  auto unused = std::make_shared<Table>(std::move(table));
  try {
    return std::jthread([unused]() mutable { unused.reset(); });
  } catch (const std::system_error&) {
    return {};  // no thread is to be had
  }
}

// From files of scores, if there are any. Nothing of the table is held afterwards.
std::vector<Result> select(const Table& table, const std::vector<Target>& targets, const SelectOptions& options,
                           const std::vector<std::string>& score_files, const Context& context) {
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  if (targets.size() > 1) return land::select(local.engine, local.pool, table, targets, options, context);
  std::optional<Scores> scores;
  if (!score_files.empty()) {
    std::vector<ScoredPart> parts;
    for (const std::string& path : score_files) parts.push_back(read_scores(path, context));
    scores = join_parts(parts, local.engine, table, targets[0], options.kernel);
  }
  return {land::select(local.engine, local.pool, table, targets[0], options, context, scores ? &*scores : nullptr)};
}

// Scores tell of the values that there were. Not all of them are compared again.
void warn_of_later_changes(const std::vector<std::string>& score_files, Table& table) {
  std::error_code none;
  const auto changed = std::filesystem::last_write_time(table.path, none);
  for (const std::string& path : score_files) {
    if (none || changed <= std::filesystem::last_write_time(path, none)) continue;
    table.warnings.push_back(
        fmt::format("{} was changed after {} was written; score it again unless its values are the "
                    "same",
                    escape_controls(table.path), escape_controls(path)));
    return;
  }
}

// What is made for one target alone.
void check_options_of_several(const Arguments& arguments, const Table& table) {
  if (table.other_targets.empty()) return;
  for (const auto& [option, given] :
       {std::pair("--scores", !arguments.scores.empty()), std::pair("--write-table", !arguments.table.empty())}) {
    if (given)
      throw InputError(
          fmt::format("{}: for one target, and there are {}; name one with --target", option, table.targets().size()));
  }
}

// The files of all targets, if each has its own; announced as soon as their names are known.
std::vector<std::string> announce_files(const std::string& output, const std::vector<Target>& targets,
                                        FilesInUse& files) {
  if (!is_for_each_target(output)) return {};
  std::vector<std::string> names;
  for (const Target& target : targets) names.push_back(target.name);
  std::vector<std::string> paths = files_of_targets(output, names);
  for (const std::string& path : paths) announce_output(path, files);
  return paths;
}

void write_results(const std::vector<Result>& results, const std::string& output,
                   const std::vector<std::string>& paths) {
  const OutputFormat format = format_of(output);
  if (paths.empty()) {
    write_output(output, results.size() == 1 ? to_text(results[0], format) : to_text(results, format));
    return;
  }
  std::vector<OutputText> texts;
  for (std::size_t t = 0; t < paths.size(); ++t) texts.push_back({paths[t], to_text(results[t], format)});
  write_outputs(texts);
}

void run(const CLI::App& command, const Arguments& arguments) {
  SelectOptions options = options_of(command, arguments);
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  format_of(arguments.output);
  const auto files = std::make_shared<FilesInUse>();
  if (!is_for_each_target(arguments.output)) announce_output(arguments.output, *files);
  if (!arguments.table.empty()) {
    for (const std::string& path : selected_files(arguments.table)) announce_output(path, *files);
  }
  for (const std::string& path : arguments.scores) files->add_input(path);

  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), memory_of(arguments.memory), files};
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Table table = read(arguments.reading, context);
  check_options_of_several(arguments, table);
  if (!table.target) target_of(table);
  warn_of_later_changes(arguments.scores, table);
  options.kernel.missing = missing_of(arguments.reading, table);
  adjust_for_covariates(table, options.kernel);
  std::vector<Target> targets;
  std::vector<std::string> reasons;
  for (const TargetColumn* column : table.targets()) {
    targets.push_back(make_target(*column, options.task));
    reasons.push_back(task_reason(*column, targets.back(), options.task));
  }
  const std::vector<std::string> paths = announce_files(arguments.output, targets, *files);
  const double read_seconds = seconds();

  std::vector<Result> results;
  for (const Result& result : select(table, targets, options, arguments.scores, context)) {
    results.push_back(spelled(result, as_typed));
    results.back().command = arguments.command_line;
    results.back().seconds.read = read_seconds;
    if (targets.size() == 1) results.back().seconds.total = seconds();
  }
  context.check_stop();
  progress.clear();
  for (const Result& result : results) check_certified(result);
  // No feature is an answer to -m auto, and no table.
  const bool has_table = !arguments.table.empty() && !(options.automatic && results[0].selected.empty());
  if (has_table) write_table(results[0], table, arguments.table, context);
  const std::jthread releasing = release(std::move(table));
  write_results(results, arguments.output, paths);
  if (arguments.quiet) return;
  print_data(results[0]);
  if (!arguments.table.empty() && !has_table) {
    say(fmt::format("{} was not written: no feature was selected\n", escape_controls(arguments.table)));
  }
  for (std::size_t t = 0; t < results.size(); ++t) print_selected(results[t], reasons[t]);
  say(fmt::format("took {} (reading {})\n", duration(seconds()), duration(read_seconds)));
}

void add_method_options(CLI::App& command, Arguments& arguments) {
  SelectOptions& options = arguments.options;
  add_listed(command, "features", arguments.features);
  add_method(command, options.method);
  add_listed(command, "ridge", options.ridge);
  add_listed(command, "landmarks", options.landmarks);
  add_listed(command, "bins", arguments.bins);
  add_listed(command, "neighbors", options.neighbors);
  add_listed(command, "permutations", options.permutations);
  add_listed(command, "seed", options.seed);
  add_listed(command, "alpha", options.alpha);
  add_listed(command, "plain-path", options.plain_path);
}

void add_running_options(CLI::App& command, Arguments& arguments) {
  add_listed(command, "output", arguments.output);
  add_listed(command, "write-table", arguments.table);
  add_listed(command, "scores", arguments.scores);
  add_listed(command, "memory", arguments.memory);
  add_listed(command, "threads", arguments.threads)->default_str("all");
  add_listed(command, "block-size", arguments.options.block_size);
  add_listed(command, "quiet", arguments.quiet);
}

}  // namespace

void add_select(CLI::App& program, const std::string& command_line) {
  auto arguments = std::make_shared<Arguments>();
  arguments->command_line = command_line;
  CLI::App& command = *program.add_subcommand("select", "Select the features of a table that explain its target");
  add_reading_options(command, arguments->reading);
  add_adjust_option(command, arguments->reading);
  add_task_option(command, arguments->reading);
  add_survival_option(command, arguments->reading);
  add_method_options(command, *arguments);
  add_kernel_options(command, arguments->kernel);
  add_running_options(command, *arguments);
  command.footer(
      "Examples:\n"
      "  land select genes.csv --target disease\n"
      "      The target is a column of the table. Prints up to 100 features as TSV.\n"
      "  land select expression.tsv.gz --rows features --target phenotype.tsv -m 50 -o genes.json\n"
      "      A row is a feature; the target stands in a file of its own and is joined on sample ids.\n"
      "      The JSON has the whole path, the redundancies and the certificate.\n"
      "  land select X.npy --target y.npy --task regression --threads 8 -o selected.tsv\n"
      "      NumPy arrays, mapped from disk. Whole numbers in y are to be numbers, not classes.\n"
      "  land select expression.tsv.gz --rows features -t phenotype.tsv --adjust clinical.csv:batch\n"
      "      The batch is taken out of all kernels: what follows it alone is not selected.\n"
      "  land select data.npz --method mr-nhsic -m 20\n"
      "      The arrays X and y of an .npz; the 20 most relevant features, even if they repeat each other.\n"
      "  land select expression.tsv.gz --rows features --survival clinical.tsv:OS_MONTHS,OS_STATUS\n"
      "      Survival: times, and events such as 1:DECEASED; censored samples count until they are lost.\n"
      "  land select expression.tsv.gz --rows features --target clinical.tsv:age,stage -o {target}.json\n"
      "      Two targets for one pass over the data, a file for each.\n"
      "  land select data.csv --target y --bases 20\n"
      "      The approximation of the paper, for comparison; without --bases the kernels are exact.");
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace land::cli
