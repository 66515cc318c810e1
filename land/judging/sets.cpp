#include "land/judging/sets.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace land {
namespace {

// Whether asking for m features would have ended here: another feature enters, or would have.
bool ends_at(const PathStep& step, std::int64_t m) {
  if (step.event == PathStep::Event::kDrop || !step.index) return false;
  const std::int64_t entering = step.event == PathStep::Event::kEnter ? 1 : 0;
  return std::ssize(step.coefficients) - entering == m;
}

double jaccard(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const std::size_t either = a.size() + b.size() - common.size();
  return either == 0 ? 1.0 : static_cast<double>(common.size()) / static_cast<double>(either);
}

}  // namespace

std::vector<std::int64_t> cut_to(const Result& result, std::int64_t m) {
  std::vector<std::int64_t> indices;
  const auto end =
      std::find_if(result.path.begin(), result.path.end(), [m](const PathStep& step) { return ends_at(step, m); });
  if (end != result.path.end()) {
    for (const auto& [index, coefficient] : end->coefficients) {
      if (end->event == PathStep::Event::kEnd || index != *end->index) indices.push_back(index);
    }
    return indices;
  }
  for (const SelectedFeature& feature : result.selected) indices.push_back(feature.index);
  if (result.path.empty() && std::ssize(indices) > m) indices.resize(static_cast<std::size_t>(m));
  return indices;
}

double stability(std::span<const std::vector<std::int64_t>> sets) {
  std::vector<std::vector<std::int64_t>> sorted(sets.begin(), sets.end());
  for (std::vector<std::int64_t>& set : sorted) std::sort(set.begin(), set.end());
  double sum = 0.0;
  double pairs = 0.0;
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      sum += jaccard(sorted[a], sorted[b]);
      pairs += 1.0;
    }
  }
  return pairs == 0.0 ? 1.0 : sum / pairs;
}

}  // namespace land
