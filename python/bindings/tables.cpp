#include "bindings/tables.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cassert>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrow.h"
#include "bindings/columns_source.h"
#include "bindings/interruptible.h"
#include "bindings/options.h"
#include "bindings/targets.h"
#include "land/base/error.h"
#include "land/formats/find_column.h"
#include "land/formats/find_features.h"
#include "land/formats/memory_table.h"
#include "land/formats/read_table.h"
#include "land/formats/take_covariates.h"
#include "land/formats/take_targets.h"
#include "land/formats/target_file.h"
#include "land/subset/apply_subset.h"
#include "land/subset/subset_table.h"
#include "land/text/printable.h"

namespace nb = nanobind;

namespace land::python {
namespace {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps a Python object until the last user in C++ is gone, whichever thread that is on.
std::shared_ptr<const void> keep(nb::object object) {
  return {new nb::object(std::move(object)), [](const void* kept) {
            const nb::gil_scoped_acquire acquire;
            delete static_cast<const nb::object*>(kept);
          }};
}

DType dtype_of(const Array& array) {
  const auto is = [&](nb::dlpack::dtype type) { return array.dtype() == type; };
  if (is(nb::dtype<float>())) return DType::kFloat32;
  if (is(nb::dtype<double>())) return DType::kFloat64;
  if (is(nb::dtype<std::int8_t>())) return DType::kInt8;
  if (is(nb::dtype<std::int16_t>())) return DType::kInt16;
  if (is(nb::dtype<std::int32_t>())) return DType::kInt32;
  if (is(nb::dtype<std::int64_t>())) return DType::kInt64;
  if (is(nb::dtype<std::uint8_t>())) return DType::kUint8;
  if (is(nb::dtype<std::uint16_t>())) return DType::kUint16;
  if (is(nb::dtype<std::uint32_t>())) return DType::kUint32;
  if (is(nb::dtype<std::uint64_t>())) return DType::kUint64;
  if (is(nb::dtype<bool>())) return DType::kBool;
  throw InputError("X: values of this type cannot be used; convert them to float64");
}

Table table_of_array(const nb::object& x, const std::string& name) {
  const auto array = nb::cast<Array>(x);
  if (array.ndim() != 2) {
    throw InputError(fmt::format("{}: has {} dimensions, needs 2: samples and features", name, array.ndim()));
  }
  Matrix matrix;
  matrix.data = static_cast<const std::byte*>(array.data());
  matrix.dtype = dtype_of(array);
  matrix.samples = static_cast<std::int64_t>(array.shape(0));
  matrix.columns = static_cast<std::int64_t>(array.shape(1));
  matrix.sample_stride = array.stride(0);
  matrix.column_stride = array.stride(1);
  matrix.owner = keep(nb::cast(array));
  return table_of(std::move(matrix), name);
}

// Compressed sparse columns, as scipy has them: used where they lie but for the starts, of which there are few.
template <class T>
Table table_of_csc(const Vector<std::int64_t>& starts, const Vector<std::int32_t>& rows, const Vector<T>& values,
                   std::int64_t samples, const std::string& name) {
  if (rows.size() != values.size() || starts.size() < 1) {
    throw InputError(fmt::format("{}: {} row numbers for {} values", name, rows.size(), values.size()));
  }
  SparseColumns columns;
  columns.samples = samples;
  columns.columns = static_cast<std::int64_t>(starts.size()) - 1;
  columns.starts = {starts.data(), starts.size()};
  columns.rows = std::span<const std::int32_t>(rows.data(), rows.size());
  columns.values = std::span<const T>(values.data(), values.size());
  columns.owner = keep(nb::make_tuple(starts, rows, values));
  return table_of(std::move(columns), name);
}

Table table_of_file(const std::string& path, const nb::dict& options, int threads, const nb::object& progress) {
  const ReadOptions read = read_options(options);
  Table table;
  run_interruptible(threads, memory_limit(options), progress,
                    [&](const Context& context) { table = read_table(path, read, context); });
  return table;
}

// As --adjust has them.
void read_covariates(Table& table, const std::vector<std::string>& words, const nb::dict& options, int threads,
                     const nb::object& progress) {
  const ReadOptions read = read_options(options);
  run_interruptible(threads, memory_limit(options), progress, [&](const Context& context) {
    if (const auto file = find_covariates_file(words)) {
      read_covariates_file(*file, read, context, table);
      table.covariate_matching.first_extra.clear();  // what is in memory may be a part of what the file describes
    } else {
      take_covariates(table, words);
    }
  });
}

// Before samples are taken out of both.
void check_target(const Table& table) {
  const auto check = [&](const TargetColumn& column) {
    if (column.size() == table.samples()) return;
    throw InputError(
        fmt::format("{}: {} samples, but the {} {} has {} values; they must be the same samples in the same order",
                    table.path, table.samples(), column.what(), column.name, column.size()));
  };
  for (const TargetColumn* target : table.targets()) check(*target);
  for (const TargetColumn& covariate : table.covariates) check(covariate);
}

void leave_out(Table& table, const nb::dict& options, int threads, const nb::object& progress) {
  check_target(table);
  const ReadOptions read = read_options(options);
  run_interruptible(threads, memory_limit(options), progress,
                    [&](const Context& context) { apply_subset(table, read, context); });
}

// Of samples that are chosen by their places.
void keep_samples(Table& table, const std::vector<std::int64_t>& kept, const std::string& reason) {
  check_target(table);
  const std::int64_t left_out = table.samples() - std::ssize(kept);
  if (left_out == 0) return;
  if (kept.empty()) throw InputError(fmt::format("{}: no sample is left of {}", table.path, table.samples()));
  for (std::vector<bool>* unmatched : {&table.matching.unmatched, &table.covariate_matching.unmatched}) {
    std::vector<bool> still;
    for (const std::int64_t sample : kept) {
      if (!unmatched->empty()) still.push_back((*unmatched)[static_cast<std::size_t>(sample)]);
    }
    *unmatched = std::move(still);
  }
  {
    const nb::gil_scoped_release release;
    subset_table(table, {kept, std::nullopt}, "", {});
  }
  table.left_out.push_back({LeftOut::What::kSamples, reason, left_out});
}

// Which of the names include and exclude leave.
std::vector<bool> chosen(const std::vector<std::string>& names, const nb::dict& options) {
  const FeatureChoice choice = feature_choice(options);
  std::vector<bool> taken;
  for (const std::string& name : names) taken.push_back(choice.takes(name));
  return taken;
}

std::vector<std::int64_t> all_numbers(const FileNumbers& file, std::int64_t count) {
  std::vector<std::int64_t> numbers = file.kept;
  if (!numbers.empty()) return numbers;
  numbers.resize(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<std::int64_t> feature_numbers(const Table& table) {
  return all_numbers(table.feature_numbers, table.features());
}

std::vector<std::int64_t> sample_numbers(const Table& table) {
  return all_numbers(table.sample_numbers, table.samples());
}

void set_names(Table& table, std::vector<std::string> names) {
  if (static_cast<std::int64_t>(names.size()) != table.features()) {
    throw InputError(fmt::format("{}: {} feature names for {} features", table.path, names.size(), table.features()));
  }
  table.feature_names = std::move(names);
  table.names.reset();
}

std::int64_t feature_of(const std::string& file, const std::string& key, const std::string& wanted,
                        const std::vector<std::string>& names, std::int64_t count) {
  return find_feature({file, names, count, "feature"}, key, wanted);
}

std::int64_t column_of(const std::string& file, const std::string& key, const std::string& wanted,
                       const std::vector<std::string>& names) {
  const ColumnLookup lookup{file, names, std::ssize(names)};
  const auto found = find_column(lookup, wanted);
  if (!found) throw_no_column(lookup, key, wanted);
  return *found;
}

Matching matching_of(const Table& table, const TargetColumn& column, const std::string& how) {
  for (const auto one : {Matching::How::kSameTable, Matching::How::kIds, Matching::How::kOrder}) {
    if (to_string(one) == how) return {one, table.samples(), column.size(), column.size()};
  }
  return {};
}

void add_covariate(Table& table, TargetColumn covariate, const std::string& how) {
  number_from_0(covariate);
  covariate.covariate = true;
  table.covariate_matching = matching_of(table, covariate, how);
  table.covariates.push_back(std::move(covariate));
}

void add_numbers(Table& table, std::string name, const Vector<double>& values, const std::string& how) {
  add_covariate(table, {std::move(name), {}, {values.data(), values.data() + values.size()}}, how);
}

void add_text(Table& table, std::string name, std::vector<std::string> values, bool categorical,
              const std::string& how) {
  TargetColumn covariate{std::move(name), std::move(values), {}};
  covariate.categorical = categorical;
  add_covariate(table, std::move(covariate), how);
}

// Beside those that there are, if it is one of several.
void set_target(Table& table, TargetColumn target, const std::string& how, bool also) {
  number_from_0(target);
  if (also && table.target) {
    table.other_targets.push_back(std::move(target));
    return;
  }
  table.other_targets.clear();
  table.matching = matching_of(table, target, how);
  table.target = std::move(target);
}

void set_numbers(Table& table, std::string name, const Vector<double>& values, const std::string& how, bool also) {
  set_target(table, {std::move(name), {}, {values.data(), values.data() + values.size()}}, how, also);
}

// Of times and events, which have been set as two targets, one: survival.
void make_survival(Table& table) {
  assert(table.target && table.other_targets.size() == 1);
  if (table.target->size() != table.other_targets[0].size()) {
    throw InputError(fmt::format("survival: {} times, and {} events; give one of each for every sample",
                                 table.target->size(), table.other_targets[0].size()));
  }
  const auto placed = [](const TargetColumn& column) {
    return PlacedTarget{column, [name = column.name](std::int64_t sample) {
                          return fmt::format("{}: sample {} (counted from 0)", in_quotes(name), sample);
                        }};
  };
  take_targets({placed(*table.target), placed(table.other_targets[0])}, true, table);
}

void take_labels(Table& table, const Table& from) {
  table.target = from.target;
  table.other_targets = from.other_targets;
  table.matching = from.matching;
  table.sample_ids = from.sample_ids;
}

void set_text(Table& table, std::string name, std::vector<std::string> values, bool categorical, const std::string& how,
              bool also) {
  TargetColumn target{std::move(name), std::move(values), {}};
  target.categorical = categorical;
  set_target(table, std::move(target), how, also);
}

}  // namespace

void add_tables(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Features, their names, and perhaps a target, where they lie.")
      .def_rw("path", &Table::path, "What messages call it.")
      .def_prop_ro("features", &Table::features)
      .def_prop_ro("samples", &Table::samples)
      .def_prop_rw("feature_names", &Table::all_feature_names, &set_names, "As given; empty if there are none.")
      .def(
          "add_nominal", [](Table& table, const std::vector<std::int64_t>& ids) { table.nominal.add(ids); },
          nb::arg("ids"), "These features are categories without an order, too.")
      .def("leave_out", &leave_out, nb::arg("options"), nb::arg("threads"), nb::arg("progress").none(),
           "What the options leave out. To be called once, when all else is set.")
      .def("keep_samples", &keep_samples, nb::arg("samples"), nb::arg("reason"),
           "These alone, by their places, rising.")
      .def_prop_ro("feature_numbers", &feature_numbers, "Of those that are used, among all.")
      .def_prop_ro("sample_numbers", &sample_numbers, "The same of samples.")
      .def("feature_name", &Table::feature_name, nb::arg("index"))
      .def_rw("sample_ids", &Table::sample_ids)
      .def("set_target_numbers", &set_numbers, nb::arg("name"), nb::arg("values"), nb::arg("how"), nb::arg("also"),
           R"(how: "table", "ids" or "order", as in the JSON. also: beside the targets that there are.)")
      .def("take_labels", &take_labels, nb::arg("other"), "Target and sample ids of another table.")
      .def("set_target_text", &set_text, nb::arg("name"), nb::arg("values"), nb::arg("categorical"), nb::arg("how"),
           nb::arg("also"))
      .def("take_covariates", &read_covariates, nb::arg("words"), nb::arg("options"), nb::arg("threads"),
           nb::arg("progress").none(), "Features by name, or a file: covariates.")
      .def("add_covariate_numbers", &add_numbers, nb::arg("name"), nb::arg("values"), nb::arg("how"))
      .def("add_covariate_text", &add_text, nb::arg("name"), nb::arg("values"), nb::arg("categorical"), nb::arg("how"))
      .def("make_survival", &make_survival, "Of two targets, times and events, one.")
      .def_prop_ro("targets", [](const Table& table) { return std::ssize(table.targets()); }, "How many.");
  module.def(
      "is_covariates_file",
      [](const std::vector<std::string>& words) { return find_covariates_file(words).has_value(); }, nb::arg("words"),
      "Whether these name a file, not features.");
  module.def("chosen", &chosen, nb::arg("names"), nb::arg("options"), "Which of the names include and exclude leave.");
  module.def("find_column", &column_of, nb::arg("file"), nb::arg("key"), nb::arg("wanted"), nb::arg("names"),
             "The position of a column by its name, else by its number.");
  module.def("find_feature", &feature_of, nb::arg("file"), nb::arg("key"), nb::arg("wanted"), nb::arg("names"),
             nb::arg("count"), "The position of a feature by its name, else by its number.");
  module.def("table_of_array", &table_of_array, nb::arg("x"), nb::arg("name"), "Of a two-dimensional array, in place.");
  module.def("table_of_csc", &table_of_csc<float>, nb::arg("starts"), nb::arg("rows"), nb::arg("values"),
             nb::arg("samples"), nb::arg("name"), "Of the arrays of a sparse matrix by column, in place.");
  module.def("table_of_csc", &table_of_csc<double>, nb::arg("starts"), nb::arg("rows"), nb::arg("values"),
             nb::arg("samples"), nb::arg("name"));
  module.def("table_of_file", &table_of_file, nb::arg("path"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "Of a file of any format that is read.");
  module.def("arrow_columns", &arrow_columns, nb::arg("capsule"), nb::arg("name"),
             "The names of an Arrow stream's columns; the stream is not used up.");
  module.def("table_of_arrow", &table_of_arrow, nb::arg("capsule"), nb::arg("name"), nb::arg("target"), nb::arg("ids"),
             nb::arg("nominal"), nb::arg("unread"),
             "Of an Arrow stream (the capsule of __arrow_c_stream__), copied column by column.");
  module.def(
      "table_of_columns", &table_of_columns, nb::arg("read"), nb::arg("names"), nb::arg("samples"), nb::arg("name"),
      "Of a function read(first, count) that gives an array of count features by samples, when they are wanted.");
}

}  // namespace land::python
