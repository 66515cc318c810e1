#include "bindings/commands.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings/interruptible.h"
#include "bindings/options.h"
#include "bindings/spelling.h"
#include "land/base/error.h"
#include "land/commands/select.h"
#include "land/engine/local_run.h"
#include "land/files/atomic_file.h"
#include "land/remote/convert_to_blocks.h"
#include "land/report/certified.h"
#include "land/report/json.h"
#include "land/results/spelled.h"
#include "land/store/convert.h"

namespace nb = nanobind;

namespace land::python {
namespace {

using Numbers = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

Numbers to_numpy(std::vector<double> values) {
  auto kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* vector) noexcept { delete static_cast<std::vector<double>*>(vector); });
  return {kept->data(), {kept->size()}, owner};
}

std::string select_json(const Table& table, const nb::dict& given, int threads, const nb::object& progress) {
  const SelectOptions options = select_options(given, table);
  const TargetColumn& column = target_of(table);
  const Spelling spelling = as_written();
  std::string json;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    const Target target = make_target(column, options.task);
    LocalRun local(table, options.kernel.missing, options.block_size, context);
    json = certified_json(select(local.engine, local.pool, table, target, options, context), spelling);
  });
  return json;
}

// Of several targets, in their order.
std::vector<std::string> select_several(const Table& table, const nb::dict& given, int threads,
                                        const nb::object& progress) {
  const SelectOptions options = select_options(given, table);
  const Spelling spelling = as_written();
  std::vector<std::string> texts;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    std::vector<Target> targets;
    for (const TargetColumn* column : table.targets()) targets.push_back(make_target(*column, options.task));
    LocalRun local(table, options.kernel.missing, options.block_size, context);
    for (const Result& result : select(local.engine, local.pool, table, targets, options, context)) {
      texts.push_back(certified_json(result, spelling));
    }
  });
  return texts;
}

// The scoring pass, and the selection that starts from it.
nb::tuple select_and_score(const Table& table, const nb::dict& given, int threads, const nb::object& progress) {
  const SelectOptions options = select_options(given, table);
  const TargetColumn& column = target_of(table);
  const Spelling spelling = as_written();
  std::string json;
  std::vector<double> relevance;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    const Target target = make_target(column, options.task);
    ScoreOptions scoring;
    scoring.task = options.task;
    scoring.kernel = options.kernel;
    LocalRun local(table, options.kernel.missing, options.block_size, context);
    const ScoredPart part = score(local.engine, table, target, scoring, context);
    json = certified_json(select(local.engine, local.pool, table, target, options, context, &part.scores), spelling);
    relevance.assign(part.scores.relevance.begin(), part.scores.relevance.end());
  });
  return nb::make_tuple(json, to_numpy(std::move(relevance)));
}

nb::dict score_arrays(const Table& table, const nb::dict& given, int threads, const nb::object& progress) {
  const ScoreOptions options = score_options(given, table);
  const TargetColumn& column = target_of(table);
  std::vector<double> relevance;
  std::vector<double> error;
  FeatureChance chance;
  std::string task;
  std::vector<std::string> warnings = table.warnings;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    const Target target = make_target(column, options.task);
    task = to_string(target.task);
    warnings.insert(warnings.end(), target.warnings.begin(), target.warnings.end());
    LocalRun local(table, options.kernel.missing, options.block_size, context);
    const ScoredPart part = score(local.engine, table, target, options, context);
    relevance.assign(part.scores.relevance.begin(), part.scores.relevance.end());
    error.assign(part.scores.error.begin(), part.scores.error.end());
    if (options.permutations > 0) chance = chance_of(local.engine, part, target, options, context, warnings);
    warnings.insert(warnings.end(), part.warnings.begin(), part.warnings.end());
  });
  nb::dict result;
  result["relevance"] = to_numpy(std::move(relevance));
  result["error"] = to_numpy(std::move(error));
  result["p_fwer"] = to_numpy(std::move(chance.p_fwer));
  result["expected_by_chance"] = to_numpy(std::move(chance.expected));
  result["q"] = to_numpy(std::move(chance.q));
  result["task"] = task;
  result["warnings"] = spelled(std::move(warnings), as_written());
  return result;
}

nb::dict find_neighbors(const Table& table, std::int64_t feature, const nb::dict& given, int threads,
                        const nb::object& progress) {
  const NeighborOptions options = neighbor_options(given, table);
  Neighbors found;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    LocalRun local(table, options.kernel.missing, options.block_size, context);
    found = neighbors(local.engine, local.pool, table, feature, options, context);
  });
  nb::list index;
  nb::list name;
  nb::list redundancy;
  for (const Neighbor& neighbor : found.neighbors) {
    index.append(neighbor.index);
    name.append(neighbor.name);
    redundancy.append(neighbor.redundancy);
  }
  nb::dict result;
  result["index"] = index;
  result["name"] = name;
  result["redundancy"] = redundancy;
  result["feature"] = found.name;
  result["features_refined"] = found.features_refined;
  return result;
}

void convert_table(const Table& table, const std::string& path, const nb::dict& given, int threads,
                   const nb::object& progress) {
  const ConvertOptions options = convert_options(given, table);
  if (table.target) target_of(table);  // one
  check_writable(path);
  run_interruptible(threads, 0, progress, [&](const Context& context) {
    if (path.ends_with(".parquet")) {
      convert_to_blocks(table, path, options, context);
    } else {
      convert(table, path, options, context);
    }
  });
}

}  // namespace

const TargetColumn& target_of(const Table& table) {
  if (!table.target) throw InputError(fmt::format("{}: no target: give y", table.path));
  if (!table.other_targets.empty()) {
    throw InputError(
        fmt::format("{}: {} targets, and one is wanted here; give one", table.path, table.targets().size()));
  }
  return *table.target;
}

std::string certified_json(const Result& result, const Spelling& spelling) {
  check_certified(result);
  return to_json(spelled(result, spelling));
}

void add_commands(nb::module_& module) {
  module.def("select", &select_json, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "The selection as the JSON of `land select`.");
  module.def("select_several", &select_several, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "The same for every target of the table, a JSON for each.");
  module.def("select_and_score", &select_and_score, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "The JSON, and the relevance of every feature, for one pass over the data.");
  module.def("score", &score_arrays, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(),
             "Relevance (negative for a feature that is left out) and error of every feature.");
  module.def("neighbors", &find_neighbors, nb::arg("table"), nb::arg("feature"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "The features most redundant with one.");
  module.def("convert", &convert_table, nb::arg("table"), nb::arg("path"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "Writes a store.");
  module.def(
      "write_atomically", [](const std::string& path, const std::string& text) { write_atomically(path, text); },
      nb::arg("path"), nb::arg("text"), "Writes a file that is there as a whole or not at all.");
}

}  // namespace land::python
