#include "land/nearest_features.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "land/kernels/factor.h"
#include "land/kernels/scorer.h"
#include "land/maximum_relevance.h"
#include "land/target.h"

namespace land {
namespace {

// A feature in the place of the target.
struct Query {
  Query(FeatureId id, const FeatureView& view, const KernelOptions& kernel)
      : feature(id), factor(by_sample(make_factor(view, kernel))) {
    target.values.resize(static_cast<std::size_t>(view.samples));
    view.copy_values(target.values);
    scorer = std::make_unique<Scorer>(target, factor, kernel);
  }

  FeatureId feature;
  Target target;
  Factor factor;
  std::unique_ptr<Scorer> scorer;
};

// Features whose bounds leave open whether they are among the nearest.
class OpenFeatures {
 public:
  explicit OpenFeatures(std::int64_t count) : count_(static_cast<std::size_t>(count)) {}

  void add(FeatureId feature, const Score& score) {
    if (score.relevance < least_) return;
    open_.push_back({feature, score.relevance, score.relevance - score.error});
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

std::vector<NearestFeatures> nearest_of(std::span<const std::unique_ptr<Query>> queries, std::int64_t count,
                                        Engine& engine, WorkerPool& pool, Candidates& candidates) {
  std::vector<const Scorer*> scorers;
  for (const auto& query : queries) scorers.push_back(query->scorer.get());
  std::vector<std::vector<OpenFeatures>> open(static_cast<std::size_t>(pool.threads()),
                                              std::vector<OpenFeatures>(queries.size(), OpenFeatures(count)));
  engine.score_each(scorers, [&](std::size_t s, FeatureId first, std::span<const Score> scores, int worker) {
    OpenFeatures& own = open[static_cast<std::size_t>(worker)][s];
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const FeatureId feature = first + static_cast<FeatureId>(k);
      if (scores[k].relevance >= 0.0 && feature != queries[s]->feature) own.add(feature, scores[k]);
    }
  });
  std::vector<NearestFeatures> nearest;
  for (std::size_t s = 0; s < queries.size(); ++s) {
    for (std::size_t w = 1; w < open.size(); ++w) open[0][s].merge(open[w][s]);
    const auto evaluate = [&](std::span<const FeatureId> batch, std::span<double> out) {
      std::vector<PairRequest> pairs;
      for (const FeatureId feature : batch) pairs.push_back({feature, queries[s]->feature, candidates.stages()});
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
                                              WorkerPool& pool, Candidates& candidates, const KernelOptions& kernel) {
  // The factor, and the scorer's copy of it.
  const std::int64_t each = 2 * kFactorColumns * engine.samples() * static_cast<std::int64_t>(sizeof(double));
  constexpr std::int64_t kMost = std::int64_t{256} << 20U;
  const auto together = static_cast<std::size_t>(std::max<std::int64_t>(1, kMost / std::max<std::int64_t>(each, 1)));
  std::vector<NearestFeatures> all;
  for (std::size_t first = 0; first < features.size(); first += together) {
    const auto part = features.subspan(first, std::min(together, features.size() - first));
    const auto blocks = engine.fetch(part);
    std::vector<std::unique_ptr<Query>> queries(part.size());
    pool.run(std::ssize(part), [&](std::int64_t item, int) {
      const auto q = static_cast<std::size_t>(item);
      queries[q] = std::make_unique<Query>(part[q], blocks[q]->view(0), kernel);
    });
    for (NearestFeatures& nearest : nearest_of(queries, count, engine, pool, candidates)) {
      all.push_back(std::move(nearest));
    }
  }
  return all;
}

}  // namespace land
