#include "cli/reading.h"

#include <fmt/format.h>

#include <new>
#include <sstream>
#include <stdexcept>

#include "cli/choices.h"
#include "cli/freed_memory.h"
#include "cli/listed_option.h"
#include "cli/not_enough_memory.h"
#include "cli/quantities.h"
#include "cli/spelling.h"
#include "cli/standard_error.h"
#include "land/files/scratch_file.h"
#include "land/subset/apply_subset.h"
#include "land/text/printable.h"

namespace land::cli {

void add_reading_options(CLI::App& command, Reading& reading) {
  reading.rows = reading.options.rows == Rows::kSamples ? "samples" : "features";
  command
      .add_option("DATA", reading.data,
                  "The table: .csv .tsv .txt, .gct, .npy, .npz, .svm .libsvm, .mtx (all also .gz), .bed, "
                  "or a store .h5 of land convert")
      ->required();
  add_listed(command, "target", reading.options.target);
  add_listed(command, "rows", reading.rows);
  add_listed(command, "id", reading.options.id_column);
  add_listed(command, "missing", reading.missing);
  add_listed(command, "nominal", reading.options.nominal);
  add_listed(command, "na", reading.options.na);
  add_listed(command, "delimiter", reading.options.delimiter);
  add_listed(command, "names", reading.options.names);
  add_listed(command, "zero-based", reading.options.zero_based);
  add_listed(command, "array", reading.options.matrix_array);
  add_listed(command, "target-array", reading.options.target_array);
  add_subset_options(command, reading.subset, reading.options);
}

void add_task_option(CLI::App& command, Reading& reading) {
  reading.task = to_string(SelectOptions{}.task);
  add_listed(command, "task", reading.task);
}

void add_adjust_option(CLI::App& command, Reading& reading) {
  // Of a variable of the shell that is not set.
  const auto refuse_none = [](const std::string& words) {
    return std::string(words.empty() ? "names no covariates: name some, or leave it out" : "");
  };
  add_listed(command, "adjust", reading.adjust)->check(refuse_none, "");
}
void add_survival_option(CLI::App& command, Reading& reading) { add_listed(command, "survival", reading.survival); }

std::int64_t memory_of(const std::string& memory) { return memory.empty() ? 0 : parse_bytes(memory, "--memory"); }

namespace {

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream rest(text);
  for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
  return words;
}

// Memory that a file needs and the machine lacks is put down to the file.
Table read_named(const std::string& path, const ReadOptions& options, const Context& context) {
  try {
    return read_table(path, options, context);
  } catch (const std::bad_alloc& error) {
    throw InputError(fmt::format("{}: {}", path, not_enough_memory(error)));
  } catch (const std::length_error&) {
    throw InputError(fmt::format("{}: {}", path, not_enough_memory(std::bad_alloc())));
  }
}

// Survival stands in the place of the target.
void take_survival(const Reading& reading, ReadOptions& options) {
  if (reading.survival.empty()) return;
  if (!options.target.empty()) {
    throw InputError("--survival and --target: survival is the target; give one of the two");
  }
  if (!reading.task.empty() && task_of(reading) != Task::kAuto) {
    throw InputError(
        fmt::format("--survival and --task {}: survival is a task of its own; leave --task out", reading.task));
  }
  options.target = reading.survival;
  options.survival = true;
}

}  // namespace

Table read(const Reading& reading, const Context& context) {
  if (context.memory > 0) give_back_freed_memory();
  ReadOptions options = reading.options;
  options.rows = reading.rows == "features" ? Rows::kFeatures : Rows::kSamples;
  if (context.memory > 0 && options.scratch_folder.empty()) options.scratch_folder = temporary_folder();
  options.adjust = between_commas(reading.adjust);
  take_subset(reading.subset, context, options);
  take_survival(reading, options);
  options.subset.drop_missing_features = reading.missing == to_string(Missing::kDropFeature);
  Table table = read_named(reading.data, options, context);
  apply_subset(table, options, context);
  return table;
}

void tell(const Table& table) {
  if (!table.id_column_name.empty()) say(fmt::format("ids: column {}\n", in_quotes(table.id_column_name)));
  const std::string matched = in_words(table.matching);
  if (!matched.empty()) say(fmt::format("samples and target: {}\n", escape_controls(matched)));
  if (!table.covariates.empty()) {
    say(fmt::format("samples and covariates: {}\n", escape_controls(in_words(table.covariate_matching))));
  }
  for (const LeftOut& left_out : table.left_out) say(fmt::format("{}\n", escape_controls(spelled(in_words(left_out)))));
  for (const std::string& warning : table.warnings)
    say(fmt::format("warning: {}\n", escape_controls(spelled(warning))));
}

const TargetColumn& target_of(const Table& table) {
  if (!table.target) {
    throw InputError(
        fmt::format("{}: no target: name a column or a file with --target, or times and events with "
                    "--survival",
                    table.path));
  }
  if (!table.other_targets.empty()) {
    throw InputError(fmt::format("{}: {} targets, and one is wanted here; name one with --target", table.path,
                                 table.targets().size()));
  }
  return *table.target;
}

Missing missing_of(const Reading& reading, const Table& table) {
  return reading.missing.empty() ? table.default_missing : value_of(reading.missing, kMissing);
}

Task task_of(const Reading& reading) { return value_of(reading.task, kTasks); }

}  // namespace land::cli
