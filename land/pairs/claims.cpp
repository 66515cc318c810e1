#include "land/pairs/claims.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "land/kernels/factors/column_products.h"
#include "land/pairs/factor_pairs.h"

namespace land {
namespace {

// A claimed product and the pair that it answers.
struct Claimed {
  const KeptProducts::Pair* kept = nullptr;
  CandidatePair pair;
};

// A candidate on the left of products, and all that is claimed of it.
struct Claimant {
  Candidate* candidate = nullptr;
  std::vector<Claimed> claims;
};

// Pairs that are claimed, by their left sides; and the candidates on the right, by feature.
struct Sorted {
  std::map<FeatureId, Claimant> lefts;
  std::map<FeatureId, Candidate*> rights;
  std::vector<CandidatePair> unclaimed;
};

Sorted sort_claims(std::span<const CandidatePair> pairs, const KeptProducts& claims) {
  Sorted sorted;
  for (const CandidatePair& pair : pairs) {
    const KeptProducts::Pair* kept = claims.find(pair.k->feature, pair.i->feature);
    if (kept == nullptr) {
      sorted.unclaimed.push_back(pair);
      continue;
    }
    const bool as_asked = kept->left == pair.k->feature;
    Claimant& left = sorted.lefts[kept->left];
    left.candidate = as_asked ? pair.k : pair.i;
    left.claims.push_back({kept, pair});
    sorted.rights[kept->right] = as_asked ? pair.i : pair.k;
  }
  return sorted;
}

// The candidates on the right, projected: ready to test any that claims products with them.
class Bench {
 public:
  Bench(const std::map<FeatureId, Candidate*>& rights, Holdings& holdings)
      : holdings_(holdings), test_(features_of(rights), holdings.samples()), scales_(rights.size()) {
    std::vector<Candidate*> candidates;
    for (const auto& [feature, candidate] : rights) {
      positions_[feature] = candidates.size();
      candidates.push_back(candidate);
    }
    holdings.make(candidates);
    holdings.run(std::ssize(candidates), 12.0 * static_cast<double>(holdings.samples()), [&](std::int64_t item, int) {
      const auto r = static_cast<std::size_t>(item);
      test_.project(r, factor_of(*candidates[r]));
      scales_[r] = factor_of(*candidates[r]).scale;
    });
  }

  // Answers the claims of these, whose factors are made, where all that one claims is true; appends the others' pairs.
  void try_all(std::span<const Claimant* const> held, std::span<double> out, std::vector<CandidatePair>& refused) {
    std::vector<std::uint8_t> holds(held.size(), 0);
    // At most kTested at a time, spread over the threads.
    constexpr std::size_t kTested = 16;
    const auto threads = static_cast<std::size_t>(holdings_.threads());
    const std::size_t rounds = (held.size() + kTested * threads - 1) / (kTested * threads);
    const std::size_t together = (held.size() + rounds * threads - 1) / (rounds * threads);
    const std::size_t groups = (held.size() + together - 1) / together;
    const double nanoseconds = 0.25 * static_cast<double>(together * scales_.size());  // a sample
    holdings_.run(static_cast<std::int64_t>(groups), nanoseconds * static_cast<double>(holdings_.samples()),
                  [&](std::int64_t item, int) {
                    const std::size_t begin = static_cast<std::size_t>(item) * together;
                    const auto group = held.subspan(begin, std::min(together, held.size() - begin));
                    try_group(group, std::span(holds).subspan(begin, group.size()), out);
                  });
    for (std::size_t l = 0; l < held.size(); ++l) {
      if (holds[l] != 0) continue;
      for (const Claimed& claimed : held[l]->claims) refused.push_back(claimed.pair);
    }
  }

 private:
  static std::vector<FeatureId> features_of(const std::map<FeatureId, Candidate*>& rights) {
    std::vector<FeatureId> features;
    for (const auto& [feature, candidate] : rights) features.push_back(feature);
    return features;
  }

  void try_group(std::span<const Claimant* const> group, std::span<std::uint8_t> holds, std::span<double> out) const {
    std::vector<ProductTest::Left> tested;
    for (const Claimant* left : group) {
      auto& one = tested.emplace_back(ProductTest::Left{left->candidate->feature, &factor_of(*left->candidate), {}});
      for (const Claimed& claimed : left->claims) {
        one.claims.push_back({positions_.at(claimed.kept->right), claimed.kept->products});
      }
    }
    const std::vector<bool> found = test_.holds(tested);
    for (std::size_t l = 0; l < found.size(); ++l) {
      if (!found[l]) continue;
      holds[l] = 1;
      const Factor& left = *tested[l].factor;
      for (const Claimed& claimed : group[l]->claims) {
        const std::span<const double> products = claimed.kept->products;
        const double scale = left.scale * scales_[positions_.at(claimed.kept->right)];
        const auto columns = std::ssize(products) / left.columns;
        out[claimed.pair.request] = scale * sum_of_squares(products, left.columns, columns);
      }
    }
  }

  Holdings& holdings_;
  std::map<FeatureId, std::size_t> positions_;  // of the candidates on the right
  ProductTest test_;
  std::vector<double> scales_;
};

}  // namespace

std::vector<CandidatePair> claim_products(std::span<const CandidatePair> pairs, const KeptProducts& claims,
                                          Holdings& holdings, std::span<double> out) {
  Sorted sorted = sort_claims(pairs, claims);
  if (sorted.lefts.empty()) return std::move(sorted.unclaimed);
  // The factors on the right are needed together, beside some on the left.
  constexpr std::size_t kHeld = 64;
  if (sorted.rights.size() + 2 > holdings.exact_together()) return {pairs.begin(), pairs.end()};
  const std::size_t most = std::min(kHeld, holdings.exact_together() - sorted.rights.size());
  Bench bench(sorted.rights, holdings);
  std::vector<const Claimant*> lefts;
  for (const auto& [feature, left] : sorted.lefts) lefts.push_back(&left);
  for (std::size_t first = 0; first < lefts.size(); first += most) {
    const auto held = std::span(lefts).subspan(first, std::min(most, lefts.size() - first));
    std::vector<Candidate*> needed;
    for (const Claimant* left : held) needed.push_back(left->candidate);
    holdings.make(needed);
    bench.try_all(held, out, sorted.unclaimed);
  }
  return std::move(sorted.unclaimed);
}

}  // namespace land
