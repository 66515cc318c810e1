#include "land/methods/best_of.h"

#include <algorithm>
#include <queue>
#include <utility>

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

std::vector<std::pair<FeatureId, double>> best_of(std::vector<std::pair<FeatureId, double>> bounded,
                                                  std::int64_t wanted_count, const EvaluateFeatures& evaluate,
                                                  std::int64_t& refined) {
  std::vector<std::pair<FeatureId, double>> ranked;
  const auto wanted = static_cast<std::size_t>(wanted_count);
  std::priority_queue<double, std::vector<double>, std::greater<>> best;  // the largest values so far
  std::size_t next = 0;
  std::size_t sorted = 0;
  constexpr std::size_t kTogether = 32;
  std::vector<FeatureId> batch;
  while (next < bounded.size()) {
    if (next == sorted) {
      sorted = std::min(bounded.size(), std::max<std::size_t>(2 * sorted, 1024));
      const auto begin = bounded.begin() + static_cast<std::ptrdiff_t>(next);
      std::partial_sort(begin, bounded.begin() + static_cast<std::ptrdiff_t>(sorted), bounded.end(), better);
    }
    if (best.size() == wanted && bounded[next].second < best.top() * (1.0 - kTie)) break;
    const std::size_t count = std::min(kTogether, sorted - next);
    batch.clear();
    for (std::size_t t = 0; t < count; ++t) batch.push_back(bounded[next + t].first);
    std::vector<double> values(count);
    evaluate(batch, values);
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

std::vector<std::pair<FeatureId, double>> most_relevant(std::span<const double> bounds, std::int64_t features,
                                                        PairOracle& oracle, std::int64_t& refined) {
  std::vector<std::pair<FeatureId, double>> bounded;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    if (bounds[k] >= 0.0) bounded.emplace_back(static_cast<FeatureId>(k), bounds[k]);
  }
  const auto evaluate = [&](std::span<const FeatureId> batch, std::span<double> out) {
    oracle.prepare(batch);
    oracle.relevance(batch, out);
  };
  return best_of(std::move(bounded), features, evaluate, refined);
}

}  // namespace land
