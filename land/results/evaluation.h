// What selections are worth, in numbers that need no learner: everything the reports print. docs/evaluate.md says what
// each number means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "land/options/options.h"
#include "land/results/target_summary.h"

namespace land {

// Of one set of features.
struct SetMetrics {
  double reduction = 1.0;            // 1 - m / d
  double independence = 1.0;         // 1 - (sum over pairs of |rho|) / (m (m - 1))
  std::optional<double> dependence;  // NHSIC of the set and the target; none where the target has one value only
};

// A selection that was given.
struct JudgedSelection {
  std::string source;  // its file, or what a front end calls it
  std::string method;
  bool same_table = true;             // made from the very values it is judged on
  std::vector<std::int64_t> indices;  // in order; 0-based, count all features of the file
  SetMetrics metrics;
};

// What a method chose for one m from the training part of a split.
struct ChosenSet {
  std::int64_t m = 0;                 // asked for; fewer may have come
  std::vector<std::int64_t> indices;  // as above
  double independence = 1.0;          // over the training part
  std::optional<double> dependence;   // over the held-out part
};

struct MethodRun {
  std::string method;
  double seconds = 0.0;  // of the selection of the largest m, of which the others are cut
  std::vector<ChosenSet> sets;
};

struct SplitRuns {
  std::int64_t repeat = 0;
  std::int64_t fold = 0;
  std::vector<std::int64_t> held_out;  // ascending; 0-based, count all samples of the file
  std::vector<MethodRun> runs;
};

// A mean over splits, and its standard error; none without values.
struct MeanOverSplits {
  std::optional<double> mean;
  std::optional<double> error;
};

// A method and an m over all splits.
struct MethodSummary {
  std::string method;
  std::int64_t m = 0;
  double selected = 0.0;  // how many came, on average
  double reduction = 0.0;
  MeanOverSplits independence;
  MeanOverSplits dependence;
  double stability = 0.0;  // mean Jaccard index of two splits' sets
  double seconds = 0.0;    // of the selection of the largest m, on average
};

// Either of selections that were given, or of methods over folds.
struct Evaluation {
  std::string version;
  std::string command;  // the command line, when there is one
  EvaluateOptions options;
  std::vector<std::string> covariates;  // that are taken out of what selections see
  bool over_folds = false;

  struct Data {
    std::string path;
    std::int64_t features = 0;
    std::int64_t samples = 0;
  } data;

  TargetSummary target;

  std::vector<JudgedSelection> selections;
  std::vector<MethodSummary> summary;
  std::vector<SplitRuns> splits;

  struct Seconds {
    double read = 0.0, total = 0.0;
  } seconds;

  std::vector<std::string> warnings;
};

}  // namespace land
