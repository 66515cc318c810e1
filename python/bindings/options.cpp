#include "bindings/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "land/base/error.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/methods/method.h"
#include "land/options/option_table.h"

namespace nb = nanobind;

namespace land::python {
namespace {

nb::object find(const nb::dict& given, const char* name) {
  return given.contains(name) ? nb::object(given[name]) : nb::none();
}

template <class T>
constexpr const char* kWanted = "a text";
template <>
constexpr const char* kWanted<bool> = "True or False";
template <>
constexpr const char* kWanted<double> = "a number";
template <>
constexpr const char* kWanted<std::int64_t> = "a whole number";
template <>
constexpr const char* kWanted<std::vector<std::int64_t>> = "a sequence of whole numbers";
template <>
constexpr const char* kWanted<std::vector<double>> = "a sequence of numbers";
template <>
constexpr const char* kWanted<std::vector<std::string>> = "a text or a sequence of texts";

template <class T>
void set(const nb::dict& given, const char* name, T& option) {
  nb::object value = find(given, name);
  if (value.is_none()) return;
  if (nb::hasattr(value, "tolist")) value = value.attr("tolist")();  // NumPy's scalars and arrays
  if (nb::try_cast(value, option)) return;
  throw nb::type_error(
      fmt::format("{}={}: {} is needed", name, nb::cast<std::string>(nb::repr(value)), kWanted<T>).c_str());
}

void set(const nb::dict& given, const char* name, std::optional<double>& option) {
  if (find(given, name).is_none()) return;
  double value = 0.0;
  set(given, name, value);
  option = value;
}

void set(const nb::dict& given, const char* name, std::optional<std::int64_t>& option) {
  if (find(given, name).is_none()) return;
  std::int64_t value = 0;
  set(given, name, value);
  option = value;
}

// A whole number: how many. A sequence: cut points, even if it is one.
void set_bins(const nb::dict& given, Bins& bins) {
  nb::object value = find(given, "bins");
  if (value.is_none()) return;
  if (nb::hasattr(value, "tolist")) value = value.attr("tolist")();
  if (nb::isinstance<nb::bool_>(value) || (!nb::try_cast(value, bins.count) && !nb::try_cast(value, bins.cuts))) {
    throw nb::type_error(fmt::format("bins={}: a whole number or a sequence of numbers is needed",
                                     nb::cast<std::string>(nb::repr(value)))
                             .c_str());
  }
}

// A whole number, or "auto".
void set_features(const nb::dict& given, SelectOptions& options) {
  const nb::object value = find(given, "n_features");
  options.automatic = nb::isinstance<nb::str>(value);
  if (!options.automatic) {
    set(given, "n_features", options.features);
  } else if (nb::cast<std::string>(value) != "auto") {
    throw InputError(
        fmt::format("n_features={}: give a whole number, or \"auto\"", nb::cast<std::string>(nb::repr(value))));
  }
}

// One word may stand for a list of one.
void set_words(const nb::dict& given, const char* name, std::vector<std::string>& option) {
  const nb::object value = find(given, name);
  if (nb::isinstance<nb::str>(value)) {
    option = {nb::cast<std::string>(value)};
  } else {
    set(given, name, option);
  }
}

NamePatterns patterns_of(const nb::dict& given, const char* name) {
  std::vector<std::string> words;
  set_words(given, name, words);
  std::string key = name;
  std::replace(key.begin(), key.end(), '_', '-');
  return {key, words};
}

template <class Enum>
void set_choice(const nb::dict& given, const char* name, std::initializer_list<Enum> choices, Enum& option) {
  const nb::object value = find(given, name);
  if (value.is_none()) return;
  const auto word = nb::cast<std::string>(nb::str(value));
  std::vector<std::string_view> words;
  for (const Enum choice : choices) {
    words.push_back(to_string(choice));
    if (words.back() == word) {
      option = choice;
      return;
    }
  }
  throw InputError(fmt::format("{}='{}': choose one of {}", name, word, fmt::join(words, ", ")));
}

// A number, several, or "mix".
void set_widths(const nb::dict& given, std::vector<double>& widths) {
  const nb::object value = find(given, "sigma");
  if (value.is_none()) return;
  if (nb::isinstance<nb::str>(value)) {
    const auto word = nb::cast<std::string>(value);
    if (word != "mix") throw InputError(fmt::format("sigma='{}': give a number, several, or \"mix\"", word));
    widths = kMixedWidths;
  } else if (nb::isinstance<nb::sequence>(value)) {
    set(given, "sigma", widths);
    widths = in_rising_order(std::move(widths));
  } else {
    set(given, "sigma", widths.front());
  }
}

KernelOptions kernel_options(const nb::dict& given, const Table& table) {
  KernelOptions options;
  options.missing = table.default_missing;
  set_choice(given, "measure", kMeasures, options.measure);
  set_choice(given, "kernel", kKernelFamilies, options.family);
  set_choice(given, "missing", kMissing, options.missing);
  set_choice(given, "transform", kTransforms, options.transform);
  set_widths(given, options.sigma);
  set(given, "basis", options.basis);
  std::int64_t bases = 0;
  set(given, "bases", bases);
  bool exact = false;
  set(given, "exact", exact);
  const bool even = !find(given, "bases").is_none();
  if (even + !options.basis.empty() + exact > 1) {
    throw InputError("give one of bases, basis and exact at most");
  }
  if (even) options.basis = even_basis(bases);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (exact) options.factor = FactorKind::kFull;
  adjust_for_covariates(table, options);
  return options;
}

}  // namespace

SelectOptions select_options(const nb::dict& given, const Table& table) {
  SelectOptions options;
  options.kernel = kernel_options(given, table);
  set_features(given, options);
  set_choice(given, "task", kTasks, options.task);
  set(given, "method", options.method);
  set(given, "ridge", options.ridge);
  set(given, "landmarks", options.landmarks);
  set(given, "plain_path", options.plain_path);
  set_bins(given, options.bins);
  set(given, "neighbors", options.neighbors);
  set(given, "permutations", options.permutations);
  set(given, "seed", options.seed);
  set(given, "alpha", options.alpha);
  set(given, "block_size", options.block_size);
  validate(options);
  check_methods({&options.method, 1}, options);
  return options;
}

ScoreOptions score_options(const nb::dict& given, const Table& table) {
  ScoreOptions options;
  options.kernel = kernel_options(given, table);
  set_choice(given, "task", kTasks, options.task);
  set(given, "refine", options.refine);
  set(given, "permutations", options.permutations);
  set(given, "seed", options.seed);
  set(given, "block_size", options.block_size);
  validate(options);
  return options;
}

NeighborOptions neighbor_options(const nb::dict& given, const Table& table) {
  NeighborOptions options;
  options.kernel = kernel_options(given, table);
  set(given, "k", options.count);
  set(given, "block_size", options.block_size);
  return options;
}

EvaluateOptions evaluate_options(const nb::dict& given, const Table& table) {
  EvaluateOptions options;
  options.select.kernel = kernel_options(given, table);
  set_choice(given, "task", kTasks, options.select.task);
  set(given, "ridge", options.select.ridge);
  set(given, "landmarks", options.select.landmarks);
  set_bins(given, options.select.bins);
  set(given, "block_size", options.select.block_size);
  set_words(given, "methods", options.methods);
  set(given, "n_features", options.features);
  set(given, "folds", options.folds.folds);
  set(given, "repeats", options.folds.repeats);
  set(given, "seed", options.folds.seed);
  validate(options);
  return options;
}

StabilityOptions stability_options(const nb::dict& given, const Table& table) {
  StabilityOptions options;
  options.select.kernel = kernel_options(given, table);
  set(given, "n_features", options.features);
  set_choice(given, "task", kTasks, options.select.task);
  set(given, "method", options.select.method);
  set(given, "ridge", options.select.ridge);
  set(given, "landmarks", options.select.landmarks);
  set_bins(given, options.select.bins);
  set(given, "pairs", options.pairs);
  set(given, "max_false", options.max_false);
  set(given, "seed", options.seed);
  validate(options);
  check_methods({&options.select.method, 1}, options.select);
  return options;
}

ConvertOptions convert_options(const nb::dict& given, const Table& table) {
  ConvertOptions options;
  options.missing = table.default_missing;
  set_choice(given, "missing", kMissing, options.missing);
  set(given, "memory", options.memory);
  return options;
}

std::int64_t memory_limit(const nb::dict& given) {
  std::int64_t memory = 0;
  set(given, "memory", memory);
  if (memory < 0) throw InputError(fmt::format("memory={}: give a number of bytes", memory));
  return memory;
}

FeatureChoice feature_choice(const nb::dict& given) {
  return {patterns_of(given, "include"), patterns_of(given, "exclude")};
}

ReadOptions read_options(const nb::dict& given) {
  ReadOptions options;
  const nb::object rows = find(given, "rows");
  if (!rows.is_none()) {
    const auto word = nb::cast<std::string>(nb::str(rows));
    if (word != "samples" && word != "features") {
      throw InputError(fmt::format("rows='{}': choose one of samples, features", word));
    }
    options.rows = word == "features" ? Rows::kFeatures : Rows::kSamples;
  }
  set(given, "target", options.target);
  set(given, "is_survival", options.survival);
  set(given, "id", options.id_column);
  set(given, "array", options.matrix_array);
  set(given, "target_array", options.target_array);
  set(given, "zero_based", options.zero_based);
  set(given, "scratch_folder", options.scratch_folder);
  set_words(given, "nominal", options.nominal);
  set(given, "adjust", options.adjust);
  set_words(given, "na", options.na);
  set(given, "delimiter", options.delimiter);
  set(given, "names", options.names);
  set_choice(given, "match", kMatches, options.match);
  set(given, "by_position", options.by_position);
  set(given, "target_id", options.target_id);
  options.choice = feature_choice(given);
  options.subset.samples = patterns_of(given, "samples");
  options.subset.exclude_samples = patterns_of(given, "exclude_samples");
  set(given, "drop_missing_target", options.subset.drop_missing_target);
  set(given, "min_distinct", options.subset.min_distinct);
  set(given, "maf", options.subset.maf);
  set(given, "geno", options.subset.geno);
  set(given, "mind", options.subset.mind);
  Missing missing = Missing::kError;
  set_choice(given, "missing", kMissing, missing);
  options.subset.drop_missing_features = missing == Missing::kDropFeature;
  return options;
}

namespace {

nb::object object_of(const OptionValue& value) {
  return std::visit(
      [](const auto& one) -> nb::object {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, std::vector<double>>) {
          return nb::none();  // no points
        } else {
          return nb::cast(one);
        }
      },
      value);
}

const char* name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::kInteger:
      return "integer";
    case OptionKind::kNumber:
      return "number";
    case OptionKind::kChoice:
      return "choice";
    case OptionKind::kSwitch:
      return "switch";
    case OptionKind::kText:
      return "text";
    case OptionKind::kNames:
      return "names";
    case OptionKind::kNumbers:
      return "numbers";
  }
  return "";
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) names.emplace_back(entry.name);
  return names;
}

}  // namespace

nb::dict methods_in_words() {
  nb::dict all;
  for (const MethodEntry& entry : methods())
    all[nb::str(entry.name.data(), entry.name.size())] = std::string(entry.help);
  return all;
}

nb::list options_of(const std::string& command) {
  nb::list all;
  for (const OptionInfo& info : option_table()) {
    if (info.python.empty() || (info.commands & command_of(command)) == 0) continue;
    nb::dict one;
    one["key"] = std::string(info.key);
    one["name"] = std::string(info.python);
    one["kind"] = name_of(info.kind);
    one["word"] = std::string(info.word);
    one["choices"] = info.key == "method" ? method_names() : info.choices;
    one["default"] = object_of(info.fallback);
    one["help"] = info.python_help.empty() ? std::string(info.help) + "." : std::string(info.python_help);
    all.append(one);
  }
  return all;
}

nb::dict defaults() {
  nb::dict all;
  for (const OptionInfo& info : option_table()) {
    const nb::object value = object_of(info.fallback);
    if (!info.python.empty() && !value.is_none()) all[nb::str(info.python.data(), info.python.size())] = value;
  }
  return all;
}

}  // namespace land::python
