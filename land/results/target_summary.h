// What reports say of a target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "land/data/target.h"

namespace land {

struct TargetSummary {
  std::string name;
  Task task = Task::kRegression;
  std::vector<std::string> classes;  // of classification
  struct FollowUp {
    std::int64_t events = 0;
    double median_time = 0.0;  // of all samples, censored or not
  };
  std::optional<FollowUp> follow_up{};  // of survival
};
TargetSummary summary_of(const Target& target);

}  // namespace land
