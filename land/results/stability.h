// How often features are selected from halves of the samples: everything the reports print. docs/inference/stability.md
// says what the numbers mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "land/options/options.h"

namespace land {

struct FeatureFrequency {
  std::int64_t index = 0;  // 0-based, counts all features of the file
  std::string name;
  std::int64_t count = 0;           // of selections that have it
  double frequency = 0.0;           // their share: pi
  double group_frequency = 0.0;     // the sum of pi over the feature and its group
  std::vector<std::int64_t> group;  // features with R > kNearCopy to it, by falling pi
  std::vector<std::string> group_names;
  bool stable = false;
};

// R beyond which features stand for each other, so that a selection has one or the other.
inline constexpr double kNearCopy = 0.9;

struct Stability {
  std::string version;
  std::string command;  // the command line, when there is one
  StabilityOptions options;
  std::vector<std::string> covariates;  // that are taken out of each half

  struct Data {
    std::string path;
    std::int64_t features = 0;
    std::int64_t samples = 0;
  } data;

  struct TargetSummary {
    std::string name;
    Task task = Task::kRegression;
    std::vector<std::string> classes;  // empty for regression
  } target;

  std::int64_t selections = 0;             // 2 x pairs
  std::int64_t asked = 0;                  // q, of each
  double mean_selected = 0.0;              // that came
  std::optional<double> threshold;         // tau; none keeps the bound
  std::optional<double> bound;             // at the threshold
  std::vector<FeatureFrequency> features;  // all that were selected at least once, by falling pi, then by index

  struct Seconds {
    double read = 0.0, total = 0.0;
  } seconds;

  std::vector<std::string> warnings;
};

}  // namespace land
