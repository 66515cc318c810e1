#include "land/maximum_relevance.h"

#include <algorithm>
#include <queue>

namespace land {
namespace {

// Features whose f differ by less, relatively, are a tie: the lower index first.
constexpr double kTie = 1e-12;

bool better(const std::pair<FeatureId, double>& a, const std::pair<FeatureId, double>& b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

// Within a run of ties the indices rise.
void settle_ties(std::vector<std::pair<FeatureId, double>>& ranked) {
  for (std::size_t first = 0; first < ranked.size();) {
    std::size_t last = first + 1;
    while (last < ranked.size() && ranked[last].second >= ranked[first].second * (1.0 - kTie)) ++last;
    std::sort(ranked.begin() + static_cast<std::ptrdiff_t>(first), ranked.begin() + static_cast<std::ptrdiff_t>(last));
    first = last;
  }
}

}  // namespace

std::vector<std::pair<FeatureId, double>> maximum_relevance(std::span<const double> bounds, std::int64_t features,
                                                            Redundancy& redundancy, std::int64_t& refined) {
  std::vector<FeatureId> order;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    if (bounds[k] >= 0.0) order.push_back(static_cast<FeatureId>(k));
  }
  const auto bound = [&](FeatureId k) { return bounds[static_cast<std::size_t>(k)]; };
  const auto by_bound = [&](FeatureId a, FeatureId b) { return bound(a) != bound(b) ? bound(a) > bound(b) : a < b; };

  std::vector<std::pair<FeatureId, double>> ranked;
  const auto wanted = static_cast<std::size_t>(features);
  std::priority_queue<double, std::vector<double>, std::greater<>> best;  // the m largest f so far
  std::size_t next = 0;
  std::size_t sorted = 0;
  constexpr std::size_t kTogether = 32;
  while (next < order.size()) {
    if (next == sorted) {
      sorted = std::min(order.size(), std::max<std::size_t>(2 * sorted, 1024));
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(next);
      std::partial_sort(begin, order.begin() + static_cast<std::ptrdiff_t>(sorted), order.end(), by_bound);
    }
    if (best.size() == wanted && bound(order[next]) < best.top() * (1.0 - kTie)) break;
    const std::size_t count = std::min(kTogether, sorted - next);
    const std::span<const FeatureId> batch{order.data() + next, count};
    redundancy.prepare(batch);
    std::vector<double> values(count);
    redundancy.relevance(batch, values);
    for (std::size_t t = 0; t < count; ++t) {
      ranked.emplace_back(batch[t], values[t]);
      best.push(values[t]);
      if (best.size() > wanted) best.pop();
    }
    next += count;
  }
  refined = static_cast<std::int64_t>(next);
  std::sort(ranked.begin(), ranked.end(), better);
  settle_ties(ranked);
  if (ranked.size() > wanted) ranked.resize(wanted);
  return ranked;
}

}  // namespace land
