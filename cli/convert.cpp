// land convert: from a table to a store of encoded features.
#include "land/store/convert.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/listed_option.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/reading.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/files/files_in_use.h"
#include "land/remote/convert_to_blocks.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  std::string output;
  std::string memory = fmt::format("{}M", ConvertOptions{}.memory >> 20U);
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool quiet = false;
};

void run(const Arguments& arguments) {
  const bool is_store = arguments.output.ends_with(".h5");
  if (!is_store && !arguments.output.ends_with(".parquet")) {
    throw InputError(
        fmt::format("{}: the name of a store must end in .h5, that of a block table in .parquet", arguments.output));
  }
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  ConvertOptions options;
  options.memory = parse_bytes(arguments.memory, "--memory");
  const auto files = std::make_shared<FilesInUse>();
  announce_output(arguments.output, *files);

  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), options.memory, files};
  const auto begin = std::chrono::steady_clock::now();
  Reading reading = arguments.reading;
  const std::filesystem::path folder = std::filesystem::path(arguments.output).parent_path();
  reading.options.scratch_folder = folder.empty() ? "." : folder.string();
  const Table table = read(reading, context);
  if (!table.other_targets.empty()) target_of(table);
  options.missing = missing_of(arguments.reading, table);
  const Converted converted = is_store ? convert(table, arguments.output, options, context)
                                       : convert_to_blocks(table, arguments.output, options, context);
  progress.clear();
  if (arguments.quiet) return;
  tell(table);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  say(fmt::format("wrote {}: {} x {}, {} encoded, {}\n", escape_controls(arguments.output),
                  counted(converted.features, "feature"), counted(converted.samples, "sample"),
                  bytes(static_cast<double>(converted.bytes)),
                  table.target ? fmt::format("target '{}'", escaped(table.target->name)) : "no target"));
  say(fmt::format("took {}\n", duration(seconds)));
}

}  // namespace

void add_convert(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand(
      "convert",
      "Write a table as a store, an HDF5 file of encoded features that is used in place, without reading; or as a "
      "block table, a Parquet file of them for clusters");
  add_reading_options(command, arguments->reading);
  command.add_option("OUT", arguments->output, "The store: a name that ends in .h5. A block table: in .parquet")
      ->required();
  add_listed(command, "memory", arguments->memory);
  add_listed(command, "threads", arguments->threads)->default_str("all");
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "Examples:\n"
      "  land convert genes.csv genes.h5 --target disease\n"
      "  land select genes.h5\n"
      "      The store knows its target, names and sample ids. The selection is that of genes.csv, to the\n"
      "      bit.\n"
      "  land convert big.npy big.h5 --target big.y.npy --memory 512M\n"
      "      An array larger than memory.\n"
      "  land convert genes.csv genes.parquet --target disease\n"
      "      A block table, for land.spark.select(\"genes.parquet\") and its like in Python.");
  command.callback([arguments] { run(*arguments); });
}

}  // namespace land::cli
