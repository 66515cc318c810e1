// The target of a selection: classes or numbers, decided by one rule for every front end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/data/target_column.h"
#include "land/options/options.h"

namespace land {

struct Target {
  std::string name;
  Task task = Task::kRegression;  // as reports call it; never kAuto
  // One of the two, for every sample: what everything but reports goes by.
  std::vector<double> values;
  std::vector<std::int32_t> labels;      // 0 .. classes-1
  std::vector<std::string> class_names;  // of labels: sorted (numerically where all are numbers)
  std::vector<std::string> warnings;     // what a reader of the result should know about it
  // Of survival: what the values were made of (survival.h). Kernels do without.
  std::vector<double> times;
  std::vector<std::uint8_t> events;  // 1: seen

  // Values that only the linear kernel is for, whatever kernel and transform features have.
  bool is_linear() const { return task == Task::kSurvival; }
  bool has_classes() const { return !class_names.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(has_classes() ? labels.size() : values.size()); }
};

// auto: what is categorical, text and booleans, or whole numbers with at most 10 distinct values and at least two
// samples for each on average, are classes; two distinct values always are; everything else is numeric, with a warning
// where it looks like labels. Throws InputError on missing values, text where numbers were asked for, one class, a
// constant, fewer than 4 samples, and (auto) more than 10 distinct texts of which most are numbers, unless they are
// categorical: a slip, not classes. Survival has no other task: InputError without an event, and where all times are
// one.
Target make_target(const TargetColumn& column, Task task);

}  // namespace land
