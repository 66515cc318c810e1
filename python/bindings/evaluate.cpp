#include "bindings/evaluate.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/commands.h"
#include "bindings/interruptible.h"
#include "bindings/options.h"
#include "bindings/spelling.h"
#include "land/commands/evaluate.h"
#include "land/commands/stability.h"
#include "land/engine/local_run.h"
#include "land/judging/given_selection.h"
#include "land/report/json.h"
#include "land/results/spelled.h"

namespace nb = nanobind;

namespace land::python {
namespace {

template <class T>
nb::object to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}

std::string judge_json(const Table& table, const std::vector<std::pair<std::string, std::string>>& given,
                       const nb::dict& options, int threads, const nb::object& progress) {
  const EvaluateOptions asked = evaluate_options(options, table);
  const TargetColumn& column = target_of(table);
  const Spelling spelling = as_written();
  std::vector<GivenSelection> selections;
  for (const auto& [source, json] : given) selections.push_back(parse_selection(json, source));
  std::string json;
  run_interruptible(threads, memory_limit(options), progress, [&](const Context& context) {
    const Target target = make_target(column, asked.select.task);
    LocalRun local(table, asked.select.kernel.missing, asked.select.block_size, context);
    json =
        to_json(spelled(judge(local.engine, local.pool, table, target, selections, asked.select, context), spelling));
  });
  return json;
}

std::string cross_validate_json(const Table& table, const nb::dict& given, int threads, const nb::object& progress) {
  const EvaluateOptions options = evaluate_options(given, table);
  const TargetColumn& column = target_of(table);
  const Spelling spelling = as_written();
  std::string json;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    const Target target = make_target(column, options.select.task);
    json = to_json(spelled(cross_validate(table, target, options, context), spelling));
  });
  return json;
}

std::string stability_json(const Table& table, const nb::dict& given, int threads, const nb::object& progress) {
  const StabilityOptions options = stability_options(given, table);
  const TargetColumn& column = target_of(table);
  const Spelling spelling = as_written();
  std::string json;
  run_interruptible(threads, memory_limit(given), progress, [&](const Context& context) {
    const Target target = make_target(column, options.select.task);
    LocalRun local(table, options.select.kernel.missing, options.select.block_size, context);
    json = to_json(spelled(find_stable(local.engine, local.pool, table, target, options, context), spelling));
  });
  return json;
}

nb::tuple target_values(const Table& table, const nb::dict& given) {
  Target target = make_target(target_of(table), evaluate_options(given, table).select.task);
  const auto count = static_cast<std::size_t>(target.size());
  return nb::make_tuple(std::string(to_string(target.task)), target.has_classes()
                                                                 ? to_numpy(std::move(target.labels), {count})
                                                                 : to_numpy(std::move(target.values), {count}));
}

nb::object columns(const Table& table, const std::vector<std::int64_t>& features, int threads) {
  const auto n = static_cast<std::size_t>(table.samples());
  std::vector<double> values(n * features.size());
  run_interruptible(threads, 0, nb::none(), [&](const Context& context) {
    const auto source = table.source(Missing::kIgnore);
    FeatureBlock block;
    for (std::size_t k = 0; k < features.size(); ++k) {
      context.check_stop();
      const std::int64_t place = table.feature_numbers.find(features[k]);
      source->gather({&place, 1}, block);
      block.view(0).copy_values(std::span(values).subspan(k * n, n));
    }
  });
  return to_numpy(std::move(values), {features.size(), n});
}

}  // namespace

void add_evaluate(nb::module_& module) {
  module.def("judge", &judge_json, nb::arg("table"), nb::arg("selections"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(),
             "Judges selections, each a name and the JSON of `land select`; the JSON of `land evaluate`.");
  module.def("cross_validate", &cross_validate_json, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "Judges methods over folds; the JSON of `land evaluate`.");
  module.def("stability", &stability_json, nb::arg("table"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "How often features are selected from halves; the JSON of `land stability`.");
  module.def("target_values", &target_values, nb::arg("table"), nb::arg("options"),
             "The task, and the target as numbers: of classes their places among all, sorted.");
  module.def("columns", &columns, nb::arg("table"), nb::arg("features"), nb::arg("threads"),
             "The values of features, by their numbers among all: an array of features by samples, NaN for missing.");
}

}  // namespace land::python
