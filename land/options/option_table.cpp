#include "land/options/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "land/base/error.h"
#include "land/base/option.h"

namespace land {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();
constexpr std::string_view kKernels = "Kernels (one of --bases, --basis and --exact at most)";

template <typename Enum>
std::string word(Enum value) {
  return std::string(to_string(value));
}

template <typename Enum>
std::vector<std::string> names_of(std::initializer_list<Enum> values) {
  std::vector<std::string> list;
  for (const Enum value : values) list.push_back(word(value));
  return list;
}

std::vector<OptionInfo> make_table() {
  return {
      {.key = "features",
       .letter = "m",
       .commands = kInSelect,
       .kind = OptionKind::kInteger,
       .value = "M",
       .group = "Selection",
       .help = "How many features to select",
       .shows_default = true,
       .python = "n_features",
       .python_help = "How many features. Fewer come back when nothing more helps: see :attr:`Selection.stopped`.",
       .json = "features",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.features; },
       .range = OptionRange{1.0, 1e12, "ask for at least 1 feature", "no table has so many"}},
      {.key = "task",
       .commands = kInSelect | kInScore | kInInfo,
       .kind = OptionKind::kChoice,
       .choices = names_of(kTasks),
       .group = "Reading",
       .help = "What the target holds: numbers or classes",
       .shows_default = true,
       .python = "task",
       .python_help = "What the target holds. \"auto\": text, categories of whatever kind, booleans, two distinct "
                      "values and at most 10 distinct whole numbers are classes.",
       .json = "task",
       .value_of = [](const SelectOptions& o) -> OptionValue { return word(o.task); }},
      // Which there are, and what they are, is up to land/methods: front ends add that.
      {.key = "method",
       .commands = kInSelect,
       .kind = OptionKind::kChoice,
       .group = "Selection",
       .help = "How features are selected; `land methods` says what each does",
       .shows_default = true,
       .python = "method",
       .python_help = "How features are selected: :func:`land.methods` says what each does.",
       .json = "method",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.method; }},
      {.key = "measure",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kChoice,
       .choices = names_of(kMeasures),
       .group = kKernels,
       .help = "nhsic, or hsic: the original HSIC Lasso, not normalised",
       .shows_default = true,
       .python = "measure",
       .python_help = "Normalised, or the original HSIC Lasso.",
       .json = "measure",
       .value_of = [](const SelectOptions& o) -> OptionValue { return word(o.kernel.measure); }},
      {.key = "kernel",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kChoice,
       .choices = names_of(kKernelFamilies),
       .group = kKernels,
       .help = "Kernel of numbers; classes have their own. distance: squared distance correlation; linear: squared "
               "correlation",
       .shows_default = true,
       .python = "kernel",
       .python_help = "Kernel of numbers; classes have their own. \"distance\": squared distance correlation; "
                      "\"linear\": squared correlation. Neither of these has a width: ``sigma`` is ignored.",
       .json = "kernel",
       .value_of = [](const SelectOptions& o) -> OptionValue { return word(o.kernel.family); }},
      // Wider, all that kernels tell apart is rounding; narrower, every value is on its own.
      {.key = "sigma",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kNumber,
       .value = "SIGMA",
       .group = kKernels,
       .help = "Width of the Gaussian or Laplacian kernel, in standard deviations of a feature",
       .shows_default = true,
       .python = "sigma",
       .json = "sigma",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.kernel.sigma; },
       .range = OptionRange{1e-3, 1e3,
                            "the width of the kernel must be between {0} and {1} standard deviations of a feature"}},
      {.key = "exact",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kSwitch,
       .group = kKernels,
       .help = "Full n x n kernel matrices: the slow reference",
       .python = "exact",
       .python_help =
           "Full n x n kernel matrices: the slow reference. One of ``exact``, ``bases`` and ``basis`` at most.",
       .json = "factor",
       .value_of = [](const SelectOptions& o) -> OptionValue { return std::string(form_name(o.kernel)); },
       .fallback = SelectOptions{}.kernel.factor == FactorKind::kFull},
      // Checked before they are laid out: a slip of the finger must not fill the memory.
      {.key = "bases",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kInteger,
       .value = "B",
       .group = kKernels,
       .help = "The paper's approximation with B points evenly on [-5, 5]",
       .python = "bases",
       .python_help = "The paper's approximation with so many points, evenly on [-5, 5].",
       .range = OptionRange{-kAny, 10'000.0, "at most {1} points make sense"}},
      {.key = "basis",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kNumbers,
       .value = "G1,G2,...",
       .group = kKernels,
       .help = "The same at points of your own",
       .python = "basis",
       .json = "basis",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.kernel.basis; }},
      {.key = "ridge",
       .commands = kInSelect,
       .kind = OptionKind::kNumber,
       .value = "RHO",
       .group = "Selection",
       .help = "Elastic net: correlated features share instead of one standing for all",
       .shows_default = true,
       .python = "ridge",
       .json = "ridge",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.ridge; },
       .range = OptionRange{0.0, kAny, "must be a finite number, 0 or above"}},
      {.key = "plain-path",
       .commands = kInSelect,
       .kind = OptionKind::kSwitch,
       .group = "Selection",
       .help = "The textbook algorithm, which evaluates every pair: slow, same answer",
       .python = "plain_path",
       .json = "plain_path",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.plain_path; }},
      {.key = "block-size",
       .commands = kInSelect | kInScore,
       .kind = OptionKind::kInteger,
       .value = "N",
       .help = "Features per block of work; 0 chooses. Same result for any",
       .shows_default = true,
       .json = "block_size",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.block_size; },
       .range = OptionRange{0.0, kAny, "must be a number of features, or 0 to choose one"}},
      {.key = "missing",
       .kind = OptionKind::kChoice,
       .choices = names_of(kMissing),
       .group = "Reading",
       .help = "Missing values: refuse them, put the mean in, ignore those samples of the feature, take them for a "
               "value of their own, or leave out features that have any (default: error; for genotypes: ignore)",
       .python = "missing",
       .python_help = "What to do about NaN and nulls; by default an error, for genotypes \"ignore\". \"drop-feature\" "
                      "leaves out the features that have any.",
       .json = "missing",
       .value_of = [](const SelectOptions& o) -> OptionValue { return word(o.kernel.missing); }},
      {.key = "neighbors",
       .commands = kInSelect,
       .kind = OptionKind::kInteger,
       .value = "K",
       .group = "Selection",
       .help = "Name with every selected feature the K most redundant with it, in one more pass",
       .shows_default = true,
       .python = "neighbors",
       .python_help = "With every selected feature, how many of the features most redundant with it are named, in one "
                      "more pass: :attr:`Selection.neighbors`.",
       .json = "neighbors",
       .value_of = [](const SelectOptions& o) -> OptionValue { return o.neighbors; },
       .range = OptionRange{0.0, kAny, "must be a number of features, or 0 for none"}},
      {.key = "neighbors",
       .letter = "k",
       .commands = kInNeighbors,
       .kind = OptionKind::kInteger,
       .value = "K",
       .help = "How many",
       .shows_default = true,
       .python = "k",
       .fallback = kNeighborsNamed},
      {.key = "feature",
       .letter = "f",
       .commands = kInNeighbors,
       .value = "NAME",
       .group = "Reading",
       .help = "The feature, by name or number (from 0, features only)",
       .python = "feature"},
      {.key = "refine",
       .commands = kInScore,
       .kind = OptionKind::kSwitch,
       .help = "Every relevance from its own factor in double, instead of a bound, mostly within half a per cent: slow",
       .python = "refine",
       .fallback = false},
      {.key = "part",
       .commands = kInScore,
       .value = "I/N",
       .help = "Only the i-th of N parts of the features, counted from 1"},
      {.key = "tsv",
       .commands = kInScore,
       .kind = OptionKind::kSwitch,
       .help = "A table for people instead of a file for --scores"},
      {.key = "target",
       .letter = "t",
       .value = "COLUMN|FILE|FILE:COLUMN",
       .group = "Reading",
       .help =
           "The target: a column of DATA by name or number (from 0), a file (text, .npy, .npz), or a column of a file",
       .python = "y"},
      {.key = "rows",
       .kind = OptionKind::kChoice,
       .choices = {"samples", "features"},
       .group = "Reading",
       .help = "What a row of DATA is: samples or features",
       .shows_default = true,
       .python = "rows",
       .python_help = "what a row of the file is"},
      {.key = "id",
       .value = "COLUMN",
       .group = "Reading",
       .help = "The column of sample ids (found by itself if it is the first, headed id, sample, patient_id ...)",
       .python = "id",
       .python_help = "the column with the samples' ids"},
      {.key = "nominal",
       .kind = OptionKind::kNames,
       .value = "NAME,...",
       .group = "Reading",
       .help = "Features that are categories without an order, numbers or words, by name or number (from 0, features "
               "only); auto: all features of few words; may be given again",
       .python = "nominal",
       .python_help =
           "Features that are categories without an order; they take the class kernel. Categorical columns of data "
           "frames do by themselves. In files of text they may hold words, and \"auto\" is all features of few words."},
      {.key = "na",
       .kind = OptionKind::kNames,
       .value = "WORD,...",
       .group = "Reading",
       .help = "More words for missing values in text, besides NA, N/A, #N/A, NaN, null, ? and nothing",
       .python = "na",
       .python_help = "more words for missing values in text"},
      {.key = "delimiter",
       .value = "CHAR",
       .group = "Reading",
       .help =
           "What separates the columns of text: a character, or tab, comma, semicolon, space, pipe (default: found)",
       .python = "delimiter",
       .python_help =
           R"(what separates the columns of text: a character, or "tab", "comma", ...; by default it is found)"},
      {.key = "names",
       .value = "FILE",
       .group = "Reading",
       .help = "A file of feature names, one a line, for a table without",
       .python = "names",
       .python_help = "a file of feature names, one a line, for a table without"},
      {.key = "zero-based",
       .kind = OptionKind::kSwitch,
       .group = "Reading",
       .help = "Indices of an svmlight file count from 0, not from 1",
       .python = "zero_based",
       .python_help = "the columns of svmlight text count from 0"},
      {.key = "array",
       .value = "NAME",
       .group = "Reading",
       .help = "The features' array of an .npz",
       .shows_default = true,
       .python = "array",
       .python_help = "the array of an .npz that holds the features"},
      {.key = "target-array",
       .value = "NAME",
       .group = "Reading",
       .help = "The target's array of an .npz",
       .shows_default = true,
       .python = "target_array",
       .python_help = "the array of an .npz that holds the target"},
      {.key = "match",
       .kind = OptionKind::kChoice,
       .choices = {"same", "common"},
       .group = "Samples and features",
       .help = "Ids of DATA and of the target's file: the same on both sides, or those in common",
       .shows_default = true,
       .python = "match",
       .python_help = "ids of table and target's file: the same on both sides, or those in common"},
      {.key = "by-position",
       .kind = OptionKind::kSwitch,
       .group = "Samples and features",
       .help = "Take a target's file in order, whatever ids there are",
       .python = "by_position",
       .python_help = "take the target's file in order, whatever ids there are"},
      {.key = "target-id",
       .value = "COLUMN",
       .group = "Samples and features",
       .help = "The column of ids in the target's file (found by itself: the one whose ids match best)",
       .python = "target_id",
       .python_help = "the column of ids in the target's file; by default the one whose ids match best"},
      {.key = "drop-missing-target",
       .kind = OptionKind::kSwitch,
       .group = "Samples and features",
       .help = "Leave out samples whose target is missing (else they are refused)",
       .python = "drop_missing_target",
       .python_help = "leave out samples whose target is missing, else they are refused"},
      {.key = "include",
       .kind = OptionKind::kNames,
       .value = "NAME,...|@FILE",
       .group = "Samples and features",
       .help = "Only these features: names, patterns such as 'ENSG*', or a file of them, one a line",
       .python = "include",
       .python_help = R"(these features alone: names, patterns such as "ENSG*", or "@FILE" with one of these a line)"},
      {.key = "exclude",
       .kind = OptionKind::kNames,
       .value = "NAME,...|@FILE",
       .group = "Samples and features",
       .help = "Not these features",
       .python = "exclude",
       .python_help = "not these features"},
      {.key = "samples",
       .value = "FILE",
       .group = "Samples and features",
       .help = "Only the samples whose ids stand in this file, one a line",
       .python = "samples",
       .python_help = "these samples alone: ids (as include has names), places counted from 0, or a mask"},
      {.key = "exclude-samples",
       .value = "FILE",
       .group = "Samples and features",
       .help = "Not the samples whose ids stand in this file",
       .python = "exclude_samples",
       .python_help = "not these samples"},
      {.key = "min-distinct",
       .kind = OptionKind::kInteger,
       .value = "K",
       .group = "Samples and features",
       .help = "Leave out features with fewer than K different values",
       .python = "min_distinct",
       .python_help = "leave out features with fewer different values",
       .range = OptionRange{0.0, kMostDistinctAsked, "give a number of values from 2 to {1}"}},
      {.key = "maf",
       .kind = OptionKind::kNumber,
       .value = "SHARE",
       .group = "Samples and features",
       .help = "Leave out genotypes whose minor allele is rarer than this among the founders",
       .python = "maf",
       .python_help = "leave out genotypes whose rarer allele is rarer than this among the founders",
       .range = OptionRange{0.0, 0.5, "give a share between 0 and {1}"}},
      {.key = "geno",
       .kind = OptionKind::kNumber,
       .value = "SHARE",
       .group = "Samples and features",
       .help = "Leave out features that lack more than this share of their values",
       .python = "geno",
       .python_help = "leave out features that lack more than this share of their values",
       .range = OptionRange{0.0, 1.0, "give a share between 0 and {1}"}},
      {.key = "mind",
       .kind = OptionKind::kNumber,
       .value = "SHARE",
       .group = "Samples and features",
       .help = "Leave out samples that lack more than this share of their values",
       .python = "mind",
       .python_help = "leave out samples that lack more than this share of their values",
       .range = OptionRange{0.0, 1.0, "give a share between 0 and {1}"}},
      {.key = "output",
       .letter = "o",
       .commands = kInSelect,
       .value = "FILE",
       .help = "Write the result to a .tsv, .csv or .json file, or to - (default: TSV on standard output)"},
      {.key = "output",
       .letter = "o",
       .commands = kInScore,
       .value = "FILE",
       .help = "The file to write; - is standard output"},
      {.key = "output",
       .letter = "o",
       .commands = kInNeighbors,
       .value = "FILE",
       .help = "Write the TSV to a file (default, and -: standard output)"},
      {.key = "write-table",
       .commands = kInSelect,
       .value = "FILE",
       .help = "Also write the selected columns, with ids and target: .csv, .tsv, .npy or .h5"},
      {.key = "scores",
       .commands = kInSelect,
       .value = "FILE...",
       .help = "Start from these files of land score, which together have all features; same result"},
      // Of land neighbors in Python alone.
      {.key = "memory",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kInteger,
       .value = "SIZE",
       .help = "What the program may take, mapped files included: bytes, or with K, M, G (powers of 1024). The result "
               "does not depend on it",
       .python = "memory",
       .python_help = "Bytes that the whole process may take, pages of mapped files included: what does not fit is "
                      "read again. The result does not depend on it."},
      {.key = "memory",
       .commands = kInConvert,
       .kind = OptionKind::kInteger,
       .value = "SIZE",
       .help = "What the program may take: bytes, or with K, M, G (powers of 1024); text that needs more goes through "
               "a temporary file beside OUT",
       .shows_default = true,
       .python = "memory",
       .fallback = ConvertOptions{}.memory},
      {.key = "threads",
       .commands = kInSelect | kInScore | kInNeighbors,
       .kind = OptionKind::kInteger,
       .value = "N",
       .help = "Threads; the result does not depend on it",
       .python = "threads",
       .python_help = "-1: all that the process may use. By default no more than OMP_NUM_THREADS, threadpoolctl and "
                      "joblib allow. The result does not depend on it."},
      {.key = "threads",
       .commands = kInConvert,
       .kind = OptionKind::kInteger,
       .value = "N",
       .help = "Threads; the store does not depend on it",
       .python = "threads"},
      {.key = "json",
       .commands = kInInfo,
       .kind = OptionKind::kSwitch,
       .help = "JSON for programs instead of text for people"},
      {.key = "quiet",
       .letter = "q",
       .commands = kInSelect | kInScore | kInNeighbors | kInConvert,
       .kind = OptionKind::kSwitch,
       .help = "No progress and no summary on standard error"},
      {.key = "quiet",
       .letter = "q",
       .commands = kInInfo,
       .kind = OptionKind::kSwitch,
       .help = "No progress on standard error"},
  };
}

// Where the table says nothing else, the default is that of the struct.
std::vector<OptionInfo> with_defaults(std::vector<OptionInfo> table) {
  for (OptionInfo& info : table) {
    const bool given = !std::holds_alternative<std::monostate>(info.fallback);
    if (!given && info.value_of != nullptr) info.fallback = info.value_of(SelectOptions{});
  }
  return table;
}

template <typename Number>
void check(std::string_view key, Number value) {
  const OptionRange& range = find_option(key)->range.value();
  const auto number = static_cast<double>(value);
  if (number >= range.least && number <= range.most) return;
  const std::string_view refusal = number > range.most && !range.above.empty() ? range.above : range.refusal;
  throw InputError(
      fmt::format("{}: {}", option(key, value), fmt::format(fmt::runtime(refusal), range.least, range.most)));
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = with_defaults(make_table());
  return table;
}

const OptionInfo* find_option(std::string_view key, unsigned commands) {
  for (const OptionInfo& info : option_table()) {
    if (info.key == key && (info.commands & commands) != 0) return &info;
  }
  return nullptr;
}

unsigned command_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 5> kNames = {{{"select", kInSelect},
                                                                            {"score", kInScore},
                                                                            {"neighbors", kInNeighbors},
                                                                            {"info", kInInfo},
                                                                            {"convert", kInConvert}}};
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == name; });
  return found == kNames.end() ? 0U : found->second;
}

void check_range(std::string_view key, std::int64_t value) { check(key, value); }

void check_range(std::string_view key, double value) { check(key, value); }

}  // namespace land
