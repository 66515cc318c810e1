#include "land/data/check_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/text/id_words.h"
#include "land/text/printable.h"

namespace land {
namespace {

// Headed as ids are, and no number twice.
bool looks_like_ids(const Target& target) {
  if (target.has_classes() || target.name.empty() || !marks_sample_ids(target.name)) return false;
  std::unordered_set<double> seen;
  return std::all_of(target.values.begin(), target.values.end(),
                     [&](double value) { return value == std::trunc(value) && seen.insert(value).second; });
}

}  // namespace

void check_samples(const Table& table) {
  if (table.samples() < kFewestSamples) {
    throw InputError(
        fmt::format("{}: needs at least {} samples, found {}", table.path, kFewestSamples, table.samples()));
  }
  table.check_has_features();
}

void check_sizes(const Table& table, const Target& target) {
  if (table.samples() != target.size()) {
    throw InputError(
        fmt::format("{}: {} samples, but the target {} has {} values; they must be the same samples in the same order",
                    table.path, table.samples(), target.name, target.size()));
  }
  check_samples(table);
  if (looks_like_ids(target)) {
    throw InputError(
        fmt::format("target {}: {} different whole numbers, headed as ids are; name another target, or call "
                    "it otherwise if these are measured",
                    in_quotes(target.name), target.size()));
  }
  // On average fewer than two samples a class: ids, dates or free text.
  if (2 * std::ssize(target.class_names) > target.size()) {
    throw InputError(
        fmt::format("target {}: {} classes for {} samples; is this a column of ids? Name another, or say {} "
                    "if they are numbers",
                    in_quotes(target.name), target.class_names.size(), target.size(), option("task", "regression")));
  }
  constexpr std::size_t kMostClasses = 1000;
  if (target.class_names.size() > kMostClasses) {
    throw InputError(
        fmt::format("target {}: {} classes, more than the {} that are supported; is this a column of ids, or "
                    "are they numbers ({})?",
                    target.name, target.class_names.size(), kMostClasses, option("task", "regression")));
  }
}

}  // namespace land
