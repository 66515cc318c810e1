#include "land/engine/candidates.h"

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
                       const Factor& target_factor, const FullKernel* target_kernel, const KernelOptions& options,
                       const MemoryPlan& limits, const KeptProducts* claims)
    : target_factor_(target_factor),
      target_kernel_(target_kernel),
      holdings_(engine, pool, context, scores, options, limits),
      exact_pairs_(holdings_, limits.products, claims),
      most_known_(static_cast<std::size_t>(std::min(kMostKnown, limits.candidates / kShareKnown / kBytesKnown))) {}

double Candidates::largest_residual() const {
  if (holdings_.options().factor == FactorKind::kFull) return 0.0;
  return std::max(target_factor_.residual, holdings_.largest_residual());
}

void Candidates::prepare(std::span<const FeatureId> features) {
  if (features.size() <= holdings_.fetched_together()) holdings_.fetch(features);
}

const FeatureBlock& Candidates::column(FeatureId feature) { return *holdings_.fetch({&feature, 1})[0]->block; }

void Candidates::evaluate(std::span<const PairRequest> requests, std::span<double> out) {
  std::vector<std::size_t> unknown;
  for (std::size_t t = 0; t < requests.size(); ++t) {
    const auto [k, i, stage] = requests[t];
    if (k == i && holdings_.options().measure == Measure::kNhsic) {
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
  std::vector<Candidate*> factored;
  std::vector<Candidate*> unrefined;
  ++lookouts_;
  const auto need_factor = [&](Candidate* one) {
    if (std::exchange(one->looked_at, lookouts_) != lookouts_) factored.push_back(one);
  };
  for (std::size_t w = 0; w < which.size(); ++w) {
    const CandidatePair pair{which[w], fetched[2 * w], fetched[2 * w + 1]};
    const auto [k, i, stage] = requests[which[w]];
    if (i == kTarget) {
      with_target.push_back(pair);
      if (pair.k->relevance) continue;
      unrefined.push_back(pair.k);
      need_factor(pair.k);
    } else if (stage < stages()) {
      low.push_back(pair);
    } else {
      exact.push_back(pair);
      need_factor(pair.k);
      need_factor(pair.i);
    }
  }
  // Factors and sketches are made together, where all these factors fit: one candidate's alone would leave the other
  // threads idle.
  const bool fit = holdings_.options().factor != FactorKind::kFull && factored.size() <= holdings_.exact_together();
  holdings_.make(fit ? std::span<Candidate* const>(factored) : std::span<Candidate* const>(),
                 without_sketch(requests, low));

  low_pairs(requests, low, out);
  refine(unrefined);
  for (const CandidatePair& pair : with_target) out[pair.request] = *pair.k->relevance;
  if (exact.empty()) return;
  exact_pairs_.evaluate(exact, out);
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
  constexpr std::size_t kMost = 64;
  const bool full = holdings_.options().factor == FactorKind::kFull;
  const std::size_t most =
      std::min(full ? static_cast<std::size_t>(holdings_.threads()) : kMost, holdings_.exact_together());
  for (; !candidates.empty(); candidates = candidates.subspan(std::min(most, candidates.size()))) {
    const auto group = candidates.first(std::min(most, candidates.size()));
    holdings_.make(group);
    holdings_.run(std::ssize(group), 20.0 * static_cast<double>(holdings_.samples()), [&](std::int64_t item, int) {
      Candidate& one = *group[static_cast<std::size_t>(item)];
      one.relevance = full ? inner_product(*one.full, *target_kernel_) : redundancy(*one.factor, target_factor_);
    });
  }
}

void Candidates::spot_relevance(std::span<const FeatureId> features, std::span<double> out) {
  const KernelOptions& options = holdings_.options();
  if (options.factor == FactorKind::kFull) return relevance(features, out);
  // One factor for every thread beside those that are held.
  if (static_cast<std::size_t>(holdings_.threads()) * 4 > holdings_.exact_together()) holdings_.drop_factors();
  const std::size_t count = holdings_.fetched_together();
  for (; !features.empty(); features = features.subspan(std::min(count, features.size()))) {
    const auto group = features.first(std::min(count, features.size()));
    const auto blocks = holdings_.fetch_once(group);
    holdings_.run(std::ssize(group), 200.0 * static_cast<double>(holdings_.samples()), [&](std::int64_t item, int) {
      const auto t = static_cast<std::size_t>(item);
      const Factor factor = make_factor(blocks[t]->view(0), options, FactorUse::kRelevance);
      // What this factor and the one that defines f may leave out differ by their residuals.
      const double between = kFactorsApart * factor.scale * factor.norm * target_factor_.scale * target_factor_.norm;
      out[t] = redundancy(factor, target_factor_) - between;
    });
    out = out.subspan(group.size());
  }
}

}  // namespace land
