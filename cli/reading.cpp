#include "cli/reading.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "cli/choices.h"
#include "cli/freed_memory.h"
#include "cli/not_enough_memory.h"
#include "cli/quantities.h"
#include "cli/standard_error.h"
#include "land/formats/printable.h"
#include "land/formats/scratch_file.h"
#include "land/subset/apply_subset.h"

namespace land::cli {

void add_reading_options(CLI::App& command, Reading& reading) {
  const char* group = "Reading";
  reading.rows = reading.options.rows == Rows::kSamples ? "samples" : "features";
  command
      .add_option("DATA", reading.data,
                  "The table: .csv .tsv .txt, .gct, .npy, .npz, .svm .libsvm, .mtx (all also .gz), .bed, "
                  "or a store .h5 of land convert")
      ->required();
  command
      .add_option("-t,--target", reading.options.target,
                  "The target: a column of DATA by name or number (from 0), a file (text, .npy, .npz), or a column "
                  "of a file")
      ->type_name("COLUMN|FILE|FILE:COLUMN")
      ->group(group);
  add_choice(command, "--rows", reading.rows, {"samples", "features"}, "What a row of DATA is: samples or features")
      ->group(group);
  command
      .add_option("--id", reading.options.id_column,
                  "The column of sample ids (found by itself if it is the first, headed id, sample, patient_id ...)")
      ->type_name("COLUMN")
      ->group(group);
  command
      .add_option("--missing", reading.missing,
                  "Missing values: refuse them, put the mean in, ignore those samples of the feature, take them for a "
                  "value of their own, or leave out features that have any (default: error; for genotypes: ignore)")
      ->check(CLI::IsMember(names(kMissing)).description(""))
      ->type_name(CLI::detail::join(names(kMissing), "|"))
      ->group(group);
  command
      .add_option("--nominal", reading.options.nominal,
                  "Features that are categories without an order, numbers or words, by name or number (from 0, "
                  "features only); auto: all features of few words; may be given again")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...")
      ->group(group);
  command
      .add_option("--na", reading.options.na,
                  "More words for missing values in text, besides NA, N/A, #N/A, NaN, null, ? and nothing")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORD,...")
      ->group(group);
  command
      .add_option("--delimiter", reading.options.delimiter,
                  "What separates the columns of text: a character, or tab, comma, semicolon, space, pipe "
                  "(default: found)")
      ->type_name("CHAR")
      ->group(group);
  command.add_option("--names", reading.options.names, "A file of feature names, one a line, for a table without")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--zero-based", reading.options.zero_based, "Indices of an svmlight file count from 0, not from 1")
      ->group(group);
  command.add_option("--array", reading.options.matrix_array, "The features' array of an .npz")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  command.add_option("--target-array", reading.options.target_array, "The target's array of an .npz")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_subset_options(command, reading.subset, reading.options);
}

void add_task_option(CLI::App& command, Reading& reading) {
  reading.task = to_string(SelectOptions{}.task);
  add_choice(command, "--task", reading.task, names(kTasks), "What the target holds: numbers or classes")
      ->group("Reading");
}

void add_memory_option(CLI::App& command, std::string& memory, const char* group) {
  command
      .add_option("--memory", memory,
                  "What the program may take, mapped files included: bytes, or with K, M, G (powers of 1024). The "
                  "result does not depend on it")
      ->type_name("SIZE")
      ->group(group);
}

std::int64_t memory_of(const std::string& memory) { return memory.empty() ? 0 : parse_bytes(memory, "--memory"); }

namespace {

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

}  // namespace

Table read(const Reading& reading, const Context& context) {
  if (context.memory > 0) give_back_freed_memory();
  ReadOptions options = reading.options;
  options.rows = reading.rows == "features" ? Rows::kFeatures : Rows::kSamples;
  if (context.memory > 0 && options.scratch_folder.empty()) options.scratch_folder = temporary_folder();
  take_subset(reading.subset, context, options);
  options.subset.drop_missing_features = reading.missing == to_string(Missing::kDropFeature);
  Table table = read_named(reading.data, options, context);
  apply_subset(table, options, context);
  return table;
}

void tell(const Table& table) {
  if (!table.id_column_name.empty()) say(fmt::format("ids: column {}\n", in_quotes(table.id_column_name)));
  const std::string matched = in_words(table.matching);
  if (!matched.empty()) say(fmt::format("samples and target: {}\n", escape_controls(matched)));
  for (const LeftOut& left_out : table.left_out) say(fmt::format("{}\n", escape_controls(in_words(left_out))));
  for (const std::string& warning : table.warnings) say(fmt::format("warning: {}\n", escape_controls(warning)));
}

Missing missing_of(const Reading& reading, const Table& table) {
  return reading.missing.empty() ? table.default_missing : value_of(reading.missing, kMissing);
}

Task task_of(const Reading& reading) { return value_of(reading.task, kTasks); }

}  // namespace land::cli
