#include "land/data/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/data/survival.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::int64_t kFewestSamples = 4;
constexpr std::size_t kMostWholeClasses = 10;

std::string title(const TargetColumn& column) {
  const std::string name = fmt::format("{} {}", column.what(), in_quotes(column.name));
  return column.path.empty() ? name : fmt::format("{}: {}", column.path, name);
}

std::string place_of(const TargetColumn& column, std::size_t sample) {
  return fmt::format("sample {} (counted from {})", static_cast<std::int64_t>(sample) + column.first_sample,
                     column.first_sample);
}

// The first value that is not a number, its place before it.
std::string text_in_its_place(const TargetColumn& column) {
  const std::int64_t sample = first_text(column);
  const std::string value = in_quotes(column.text[static_cast<std::size_t>(sample)]);
  if (!column.first_text.empty()) {
    return fmt::format("{}: {} {}: {}", column.first_text, column.what(), in_quotes(column.name), value);
  }
  return fmt::format("{}: {} (sample {}, counted from {})", title(column), value, sample + column.first_sample,
                     column.first_sample);
}

void check_values(const TargetColumn& column) {
  if (column.size() < kFewestSamples) {
    throw InputError(fmt::format("{} needs at least {} samples, found {}: add samples", title(column), kFewestSamples,
                                 column.size()));
  }
  for (std::size_t i = 0; i < column.text.size(); ++i) {
    if (column.text[i].empty()) {
      throw InputError(
          fmt::format("{}: {} has no value; remove the sample or give it one", title(column), place_of(column, i)));
    }
  }
  for (std::size_t i = 0; i < column.numbers.size(); ++i) {
    if (!std::isfinite(column.numbers[i])) {
      throw InputError(fmt::format("{}: {} is {}; remove the sample or give it a finite value", title(column),
                                   place_of(column, i), column.numbers[i]));
    }
  }
}

std::vector<double> distinct_values(const std::vector<double>& values) {
  std::vector<double> distinct(values);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

std::vector<std::string> distinct_texts(const std::vector<std::string>& text) {
  std::vector<std::string> distinct(text);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto is_number = [](const std::string& value) { return parse_number(value).has_value(); };
  if (std::all_of(distinct.begin(), distinct.end(), is_number)) {
    std::stable_sort(distinct.begin(), distinct.end(),
                     [](const std::string& a, const std::string& b) { return *parse_number(a) < *parse_number(b); });
  }
  return distinct;
}

// Whole numbers without decimals; -0 is 0.
std::string class_name(double value) {
  if (value == 0.0) return "0";
  const bool whole = std::trunc(value) == value && std::fabs(value) < 1e15;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

// A column of numbers with a slip in it reads as text. Many distinct values, at least half of them numbers: say so.
void check_is_not_a_slip(const TargetColumn& column, std::size_t classes) {
  if (classes <= kMostWholeClasses) return;
  const auto is_text = [](const std::string& value) { return !parse_number(value).has_value(); };
  const auto texts = std::count_if(column.text.begin(), column.text.end(), is_text);
  if (2 * texts > column.size()) return;
  throw InputError(fmt::format(
      "{} is not a number, but {} of {} values are; correct it, or {}", text_in_its_place(column),
      column.size() - texts, column.size(),
      column.covariate ? "write them all as words" : fmt::format("say {}", option("task", "classification"))));
}

Task choose_task(const TargetColumn& column, const std::vector<double>& distinct) {
  if (column.categorical || column.is_text() || distinct.size() == 2) return Task::kClassification;
  const bool whole = std::all_of(distinct.begin(), distinct.end(), [](double v) { return std::trunc(v) == v; });
  // Classes have several samples: in a small table whole numbers that hardly repeat are amounts.
  const bool few = distinct.size() <= kMostWholeClasses && 2 * std::ssize(distinct) <= column.size();
  return whole && few ? Task::kClassification : Task::kRegression;
}

// Labels are mostly numbered without gaps, few beside the samples, and each has several: so are few amounts.
void warn_of_labels(const TargetColumn& column, const std::vector<double>& distinct,
                    std::vector<std::string>& warnings) {
  constexpr std::int64_t kSamplesPerClass = 5;
  constexpr std::int64_t kRepeats = 3;
  const bool whole = std::all_of(distinct.begin(), distinct.end(), [](double v) { return std::trunc(v) == v; });
  const std::int64_t classes = std::ssize(distinct);
  if (!whole || kSamplesPerClass * classes > column.size()) return;
  if (distinct.back() - distinct.front() >= 2.0 * static_cast<double>(classes)) return;
  std::vector<std::int64_t> counts(distinct.size());
  for (const double value : column.numbers) {
    ++counts[static_cast<std::size_t>(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin())];
  }
  const auto repeated =
      std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count >= kRepeats; });
  if (5 * repeated < 4 * classes) return;
  warnings.push_back(fmt::format(
      "{} is taken for amounts, but its {} distinct whole numbers look like labels: {}", title(column), classes,
      column.covariate ? "write them as words if they are"
                       : fmt::format("say {} if they are, {} if not", option("task=", "classification"),
                                     option("task=", "regression"))));
}

[[noreturn]] void throw_one_value(const TargetColumn& column, Task task, const std::string& value) {
  if (column.covariate) {
    throw InputError(fmt::format("{} is constant: all {} samples have {}; there is nothing to take out, leave it out",
                                 title(column), column.size(), in_quotes(value)));
  }
  if (task == Task::kRegression) {
    throw InputError(fmt::format("{} is constant: all {} values are {}; nothing can explain it, choose another",
                                 title(column), column.size(), value));
  }
  throw InputError(
      fmt::format("{} has one class only: all {} samples are {}; classification needs two or more, choose another",
                  title(column), column.size(), in_quotes(value)));
}

void label_numbers(const TargetColumn& column, const std::vector<double>& distinct, Target& target) {
  for (const double value : distinct) target.class_names.push_back(class_name(value));
  for (const double value : column.numbers) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), value);
    target.labels.push_back(static_cast<std::int32_t>(place - distinct.begin()));
  }
}

void label_text(const TargetColumn& column, Target& target) {
  target.class_names = distinct_texts(column.text);
  std::map<std::string_view, std::int32_t> label_of;
  for (std::size_t c = 0; c < target.class_names.size(); ++c) {
    label_of.emplace(target.class_names[c], static_cast<std::int32_t>(c));
  }
  for (const std::string& value : column.text) target.labels.push_back(label_of.at(value));
}

Target make_survival(const TargetColumn& column) {
  if (std::find(column.events.begin(), column.events.end(), 1) == column.events.end()) {
    throw InputError(fmt::format("{} has no event: all {} samples are censored; see which codes {} has", title(column),
                                 column.size(), in_quotes(column.event_name)));
  }
  const auto [first, last] = std::minmax_element(column.numbers.begin(), column.numbers.end());
  if (*first == *last) {
    throw InputError(fmt::format("{}: all {} times are {}; nothing can explain them, choose another", title(column),
                                 column.size(), *first));
  }
  Target target;
  target.name = column.name;
  target.task = Task::kSurvival;
  target.values = martingale_residuals(column.numbers, column.events);
  target.times = column.numbers;
  target.events = column.events;
  return target;
}

}  // namespace

Target make_target(const TargetColumn& column, Task task) {
  check_values(column);
  if (column.is_survival()) return make_survival(column);
  const std::vector<double> distinct = distinct_values(column.numbers);
  Target target;
  target.name = column.name;
  target.task = task == Task::kAuto ? choose_task(column, distinct) : task;

  if (target.task == Task::kRegression) {
    if (column.is_text()) {
      throw InputError(fmt::format("{} is text; regression needs numbers: correct the target, or use {}",
                                   text_in_its_place(column), option("task", "classification")));
    }
    if (distinct.size() == 1) throw_one_value(column, target.task, class_name(distinct[0]));
    target.values = column.numbers;
    if (task == Task::kAuto) warn_of_labels(column, distinct, target.warnings);
    return target;
  }
  if (column.is_text()) {
    label_text(column, target);
    if (task == Task::kAuto && !column.categorical) check_is_not_a_slip(column, target.class_names.size());
  } else {
    label_numbers(column, distinct, target);
  }
  if (target.class_names.size() == 1) throw_one_value(column, target.task, target.class_names[0]);
  return target;
}

}  // namespace land
