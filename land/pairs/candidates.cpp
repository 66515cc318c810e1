#include "land/pairs/candidates.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace land {
namespace {

constexpr std::int64_t kMostKnown = 200'000;
constexpr std::int64_t kShareKnown = 16;  // of the memory, one in so many
constexpr std::int64_t kBytesKnown = 64;  // each, in its map

}  // namespace

Candidates::Candidates(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                       const KernelOptions& options, const MemoryPlan& limits, ExactForms forms)
    : holdings_(engine, pool, context, scores, options, limits, std::move(forms)),
      most_known_(static_cast<std::size_t>(std::min(kMostKnown, limits.candidates / kShareKnown / kBytesKnown))) {}

void Candidates::prepare(std::span<const FeatureId> features) {
  if (features.size() <= holdings_.fetched_together()) holdings_.fetch(features);
}

const FeatureBlock& Candidates::column(FeatureId feature) { return *holdings_.fetch({&feature, 1})[0]->block; }

void Candidates::evaluate(std::span<const PairRequest> requests, std::span<double> out) {
  std::vector<std::size_t> unknown;
  for (std::size_t t = 0; t < requests.size(); ++t) {
    const auto [k, i, stage] = requests[t];
    if (k == i && holdings_.kernels().options().measure == Measure::kNhsic) {
      out[t] = 1.0;  // by definition
      continue;
    }
    if (stage == stages() && i != kTarget) {
      const auto found = known_.find({k, i});
      if (found != known_.end()) {
        out[t] = found->second;
        continue;
      }
    }
    unknown.push_back(t);
  }
  // As many at a time as their features fit.
  const std::size_t most = holdings_.fetched_together();
  std::unordered_set<FeatureId> features;
  std::size_t first = 0;
  for (std::size_t u = 0; 2 * unknown.size() > most && u < unknown.size(); ++u) {
    const PairRequest& request = requests[unknown[u]];
    features.insert({request.k, request.i});
    if (features.size() <= most) continue;
    evaluate_together(requests, std::span(unknown).subspan(first, u - first), out);
    first = u;
    features = {request.k, request.i};
  }
  evaluate_together(requests, std::span(unknown).subspan(first), out);
}

void Candidates::evaluate_together(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                                   std::span<double> out) {
  std::vector<FeatureId> features;
  features.reserve(2 * which.size());
  for (const std::size_t t : which) {
    const auto [k, i, stage] = requests[t];
    features.push_back(k);
    features.push_back(i == kTarget ? k : i);
  }
  const std::vector<Candidate*> fetched = holdings_.fetch(features);
  std::vector<CandidatePair> low;
  std::vector<CandidatePair> exact;
  std::vector<CandidatePair> with_target;
  std::vector<Candidate*> needed;
  std::vector<Candidate*> unrefined;
  ++lookouts_;
  const auto need_exact = [&](Candidate* one) {
    if (std::exchange(one->looked_at, lookouts_) != lookouts_) needed.push_back(one);
  };
  for (std::size_t w = 0; w < which.size(); ++w) {
    const CandidatePair pair{which[w], fetched[2 * w], fetched[2 * w + 1]};
    const auto [k, i, stage] = requests[which[w]];
    if (i == kTarget) {
      with_target.push_back(pair);
      if (pair.k->relevance) continue;
      unrefined.push_back(pair.k);
      need_exact(pair.k);
    } else if (stage < stages()) {
      low.push_back(pair);
    } else {
      exact.push_back(pair);
      need_exact(pair.k);
      need_exact(pair.i);
    }
  }
  holdings_.make(made_ahead(needed), without_sketch(requests, low));

  low_pairs(requests, low, out);
  refine(unrefined);
  for (const CandidatePair& pair : with_target) out[pair.request] = *pair.k->relevance;
  if (exact.empty()) return;
  evaluate_exactly(exact, out);
  for (const auto& [t, k, i] : exact) {
    if (known_.size() < most_known_) known_.try_emplace({k->feature, i->feature}, out[t]);
  }
}

std::vector<Candidate*> Candidates::without_sketch(std::span<const PairRequest> requests,
                                                   std::span<const CandidatePair> pairs) {
  std::vector<Candidate*> found;
  ++lookouts_;
  for (const auto& [t, k, i] : pairs) {
    const int columns = sketch_columns(requests[t].stage);
    for (Candidate* one : {k, i}) {
      if (one->sketch && one->sketch->count >= columns) continue;
      if (std::exchange(one->looked_at, lookouts_) != lookouts_) {
        one->columns_wanted = columns;
        found.push_back(one);
      }
      one->columns_wanted = std::max(one->columns_wanted, columns);
    }
  }
  return found;
}

void Candidates::low_pairs(std::span<const PairRequest> requests, std::span<const CandidatePair> pairs,
                           std::span<double> out) {
  std::vector<SketchPair> sketches;
  sketches.reserve(pairs.size());
  for (const auto& [t, k, i] : pairs) {
    // The lower id first, so that (k, i) and (i, k) are one computation.
    const bool rising = k->feature < i->feature;
    sketches.push_back({&*(rising ? k : i)->sketch, &*(rising ? i : k)->sketch, sketch_columns(requests[t].stage)});
  }
  // As many together as there are for a thread, if their sketches fit its cache.
  constexpr std::size_t kTogether = 64;
  const auto threads = static_cast<std::size_t>(holdings_.threads());
  const std::size_t share = std::min(kTogether, (pairs.size() + threads - 1) / threads);
  if (share == 0) return;
  std::vector<double> bounds(pairs.size());
  holdings_.run(static_cast<std::int64_t>((pairs.size() + share - 1) / share),
                0.7 * static_cast<double>(holdings_.samples()) * static_cast<double>(share),
                [&](std::int64_t item, int) {
                  const std::size_t first = static_cast<std::size_t>(item) * share;
                  const std::size_t count = std::min(share, pairs.size() - first);
                  sketch_bounds(std::span(sketches).subspan(first, count), std::span(bounds).subspan(first, count));
                });
  for (std::size_t t = 0; t < pairs.size(); ++t) out[pairs[t].request] = bounds[t];
}

void Candidates::refine(std::span<Candidate* const> candidates) {
  const std::size_t most = std::min(refined_together(), holdings_.exact_together());
  for (; !candidates.empty(); candidates = candidates.subspan(std::min(most, candidates.size()))) {
    const auto group = candidates.first(std::min(most, candidates.size()));
    holdings_.make(group);
    holdings_.run(std::ssize(group), 20.0 * static_cast<double>(holdings_.samples()), [&](std::int64_t item, int) {
      Candidate& one = *group[static_cast<std::size_t>(item)];
      one.relevance = relevance_of(one);
    });
  }
}

}  // namespace land
