// land graphlets: from graphs to a table that land select can read.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/standard_error.h"
#include "cli/stop.h"
#include "land/files/files_in_use.h"
#include "land/graphlets/count_graphlets.h"
#include "land/graphlets/read_contact_graphs.h"
#include "land/graphlets/write_graphlets.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  std::string graphs;
  std::string output;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool quiet = false;
};

void run(const Arguments& arguments) {
  if (arguments.threads < 1) throw InputError(fmt::format("--threads {}: must be at least 1", arguments.threads));
  const auto files = std::make_shared<FilesInUse>();
  for (const std::string& path : graphlets_outputs(arguments.output)) announce_output(path, *files);

  Progress progress(arguments.quiet);
  const Context context{arguments.threads, std::ref(progress), &stop_requested(), 0, files};
  const GraphletTable table = count_graphlets(read_contact_graphs(arguments.graphs, context), context);
  const std::vector<std::string> written = write_graphlets(table, arguments.output, context);
  progress.clear();
  if (arguments.quiet) return;
  say(fmt::format("wrote {} ({} x {}, {} not zero)\n", escape_controls(fmt::format("{}", fmt::join(written, ", "))),
                  counted(table.features(), "feature"), counted(table.graphs(), "sample"),
                  counted(table.nonzeros(), "count")));
}

}  // namespace

void add_graphlets(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand(
      "graphlets", "Count the rooted labelled graphlets of up to 4 vertices in graphs: a table with a row per graph");
  command.add_option("GRAPHS", arguments->graphs, "The graphs, as text; may be compressed with gzip")->required();
  command
      .add_option("OUT", arguments->output,
                  "The table: .svm, text, with the names of the features in OUT.names; or .h5, a store")
      ->required();
  command.add_option("--threads", arguments->threads, "Threads; the result does not depend on it")
      ->type_name("N")
      ->default_str("all");
  command.add_flag("-q,--quiet", arguments->quiet, "No progress and no summary on standard error");
  command.footer(
      "A feature is a connected induced subgraph of 1 to 4 vertices, with its labels and one vertex as\n"
      "its root, up to isomorphism; its value is how often it occurs. It is named by labels, the root's\n"
      "first, and edges: 5.7.9:01-12 is a path from the root 5 (vertex 0) over 7 (vertex 1) to 9\n"
      "(vertex 2).\n"
      "\n"
      "GRAPHS holds the number of graphs; for each graph a line `vertices class`; for each of its\n"
      "vertices a line `label degree neighbour...`, neighbours counted from 0. Two graphs, a path 5-7-9\n"
      "of class 1 and an edge 5-5 of class 0:\n"
      "  2\n"
      "  3 1\n"
      "  5 1 1\n"
      "  7 2 0 2\n"
      "  9 1 1\n"
      "  2 0\n"
      "  5 1 1\n"
      "  5 1 0\n"
      "\n"
      "Examples:\n"
      "  land graphlets proteins.txt proteins.svm\n"
      "      Counts to proteins.svm, the names of the features to proteins.svm.names.\n"
      "  land graphlets proteins.txt.gz proteins.h5\n"
      "      A store with names and classes in it: land select proteins.h5.");
  command.callback([arguments] { run(*arguments); });
}

}  // namespace land::cli
