#include "land/results/target_summary.h"

#include <algorithm>

namespace land {

TargetSummary summary_of(const Target& target) {
  TargetSummary summary{target.name, target.task, target.class_names};
  if (target.events.empty()) return summary;
  std::vector<double> times = target.times;
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[middle] : 0.5 * (times[middle - 1] + times[middle]);
  summary.follow_up = {std::count(target.events.begin(), target.events.end(), 1), median};
  return summary;
}

}  // namespace land
