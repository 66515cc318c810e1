#include "land/commands/nearest_features.h"

#include <algorithm>
#include <functional>
#include <mutex>

#include "land/methods/best_of.h"

namespace land {
namespace {

// Features whose bounds leave open whether they are among the nearest.
class OpenFeatures {
 public:
  explicit OpenFeatures(std::int64_t count) : count_(static_cast<std::size_t>(count)) {}

  // `most`: its bound, from which it is at most `error` away.
  void add(FeatureId feature, double most, double error) {
    if (most < least_) return;
    open_.push_back({feature, most, most - error});
    if (open_.size() >= 4 * (count_ + 16)) prune();
  }
  void merge(const OpenFeatures& other) {
    open_.insert(open_.end(), other.open_.begin(), other.open_.end());
    prune();
  }
  std::vector<std::pair<FeatureId, double>> bounds() const {
    std::vector<std::pair<FeatureId, double>> list;
    for (const Open& open : open_) list.emplace_back(open.feature, open.most);
    return list;
  }

 private:
  struct Open {
    FeatureId feature;
    double most;
    double least;
  };

  // Whoever cannot reach what `count` others have for certain goes.
  void prune() {
    if (open_.size() <= count_) return;
    std::vector<double> certain;
    for (const Open& open : open_) certain.push_back(open.least);
    const auto last = certain.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::nth_element(certain.begin(), last, certain.end(), std::greater<>());
    constexpr double kRounding = 1e-9;  // ties stay
    least_ = std::max(least_, *last - kRounding);
    std::erase_if(open_, [&](const Open& open) { return open.most < least_; });
  }

  std::size_t count_;
  double least_ = 0.0;
  std::vector<Open> open_;
};

std::vector<NearestFeatures> nearest_of(std::span<const FeatureId> features, std::int64_t count, Engine& engine,
                                        Candidates& candidates, const KernelOptions& kernel, const Context& context) {
  // Each feature in the place of the target.
  std::vector<ScoreJob> jobs;
  for (auto& block : engine.fetch(features)) {
    jobs.push_back({.against = std::move(block), .kernel = kernel, .last = engine.features(), .bounds_only = true});
  }
  std::vector<std::vector<OpenFeatures>> open(static_cast<std::size_t>(engine.workers()),
                                              std::vector<OpenFeatures>(jobs.size(), OpenFeatures(count)));
  std::mutex mutex;
  double done = 0.0;
  engine.score(jobs, [&](std::size_t j, const Scores& part, int worker) {
    OpenFeatures& own = open[static_cast<std::size_t>(worker)][j];
    for (std::size_t k = 0; k < part.relevance.size(); ++k) {
      const FeatureId feature = part.first + static_cast<FeatureId>(k);
      if (part.relevance[k] >= 0.0 && feature != features[j]) own.add(feature, part.relevance[k], part.error[k]);
    }
    const std::scoped_lock lock(mutex);
    done += static_cast<double>(part.size()) / static_cast<double>(jobs.size());
    context.report("neighbours", done, static_cast<double>(engine.features()));
  });
  std::vector<FeatureId> all_open;
  for (std::size_t s = 0; s < features.size(); ++s) {
    for (std::size_t w = 1; w < open.size(); ++w) open[0][s].merge(open[w][s]);
    for (const auto& [feature, most] : open[0][s].bounds()) all_open.push_back(feature);
  }
  engine.announce(all_open);
  std::vector<NearestFeatures> nearest;
  for (std::size_t s = 0; s < features.size(); ++s) {
    const auto evaluate = [&](std::span<const FeatureId> batch, std::span<double> out) {
      std::vector<PairRequest> pairs;
      for (const FeatureId feature : batch) pairs.push_back({feature, features[s], candidates.stages()});
      candidates.prepare(batch);
      candidates.evaluate(pairs, out);
    };
    std::int64_t refined = 0;
    nearest.push_back(best_of(open[0][s].bounds(), count, evaluate, refined));
  }
  return nearest;
}

}  // namespace

std::vector<NearestFeatures> nearest_features(std::span<const FeatureId> features, std::int64_t count, Engine& engine,
                                              Candidates& candidates, const KernelOptions& kernel,
                                              const Context& context) {
  // The factor, which is stored, and the scorer's copy of it.
  const std::int64_t each = 2 * stored_factor_bytes(engine.samples());
  constexpr std::int64_t kMost = std::int64_t{256} << 20U;
  const auto together = static_cast<std::size_t>(std::max<std::int64_t>(1, kMost / std::max<std::int64_t>(each, 1)));
  std::vector<NearestFeatures> all;
  for (std::size_t first = 0; first < features.size(); first += together) {
    const auto part = features.subspan(first, std::min(together, features.size() - first));
    for (NearestFeatures& nearest : nearest_of(part, count, engine, candidates, kernel, context)) {
      all.push_back(std::move(nearest));
    }
  }
  return all;
}

}  // namespace land
