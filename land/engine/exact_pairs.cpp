#include "land/engine/exact_pairs.h"

#include <algorithm>
#include <array>
#include <map>

#include "land/kernels/column_products.h"

namespace land {

ExactPairs::ExactPairs(Holdings& holdings, std::int64_t most_bytes, const KeptProducts* claims)
    : holdings_(holdings),
      claims_(claims),
      products_(claims == nullptr ? std::make_unique<KeptProducts>(most_bytes, holdings.threads()) : nullptr) {}

std::unique_ptr<const KeptProducts> ExactPairs::take_products() {
  if (products_) products_->index();
  return std::move(products_);
}

void ExactPairs::evaluate(std::span<const CandidatePair> pairs, std::span<double> out) {
  if (holdings_.options().factor == FactorKind::kFull) {
    // One pair at a time: never more full matrices than the limits allow, or two.
    for (const auto& [request, k, i] : pairs) {
      holdings_.make(std::array{k, i});
      out[request] = inner_product(*k->full, *i->full);
    }
    return;
  }
  multiply(claims_ != nullptr ? claim(pairs, out) : std::vector(pairs.begin(), pairs.end()), out);
}

void ExactPairs::multiply(std::vector<CandidatePair> pairs, std::span<double> out) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const CandidatePair& a, const CandidatePair& b) { return a.k->feature < b.k->feature; });
  // A few candidates at a time, with all their partners; the threads share the partners out.
  constexpr std::size_t kCandidates = 4;
  const std::size_t together = std::min(kCandidates, holdings_.exact_together() - 1);
  std::vector<Candidate*> lefts;
  std::vector<Partner> partners;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    lefts.clear();
    for (; end < pairs.size(); ++end) {
      if (!lefts.empty() && lefts.back() == pairs[end].k) continue;
      if (lefts.size() == together) break;
      lefts.push_back(pairs[end].k);
    }
    const auto group = std::span(pairs).subspan(begin, end - begin);
    std::stable_sort(group.begin(), group.end(),
                     [](const CandidatePair& a, const CandidatePair& b) { return a.i->feature < b.i->feature; });
    partners.clear();
    for (std::size_t first = 0, last = 0; first < group.size(); first = last) {
      while (last < group.size() && group[last].i == group[first].i) ++last;
      partners.push_back({group[first].i, group.subspan(first, last - first)});
    }
    const std::size_t most = std::max(holdings_.exact_together(), lefts.size() + 1) - lefts.size();
    for (std::size_t first = 0; first < partners.size(); first += most) {
      multiply_together(lefts, std::span(partners).subspan(first, std::min(most, partners.size() - first)), out);
    }
  }
}

void ExactPairs::multiply_together(std::span<Candidate* const> lefts, std::span<const Partner> partners,
                                   std::span<double> out) {
  std::vector<Candidate*> needed(lefts.begin(), lefts.end());
  for (const Partner& partner : partners) needed.push_back(partner.candidate);
  holdings_.make(needed);
  // Work for every thread: a share of the partners each, so that the candidates are read no more often than needed; and
  // single candidates where partners are few.
  const auto tasks = static_cast<std::size_t>(holdings_.threads());
  const std::size_t together = partners.size() < tasks ? 1 : lefts.size();
  const std::size_t share = (partners.size() + tasks - 1) / tasks;
  const std::size_t shares = (partners.size() + share - 1) / share;
  const std::size_t groups = (lefts.size() + together - 1) / together;
  const double cost = 12.0 * static_cast<double>(holdings_.samples()) * static_cast<double>(share * together);
  holdings_.run(static_cast<std::int64_t>(shares * groups), cost, [&](std::int64_t item, int worker) {
    const std::size_t first = static_cast<std::size_t>(item) % shares * share;
    const std::size_t left = static_cast<std::size_t>(item) / shares * together;
    multiply_share(lefts.subspan(left, std::min(together, lefts.size() - left)),
                   partners.subspan(first, std::min(share, partners.size() - first)), worker, out);
  });
}

void ExactPairs::multiply_share(std::span<Candidate* const> lefts, std::span<const Partner> partners, int worker,
                                std::span<double> out) {
  // Two factors by sample: all of them together. At least one by level: one by one.
  std::vector<const Candidate*> rows;
  std::vector<const DenseColumns*> left_columns;
  for (const Candidate* left : lefts) {
    if (left->factor->coded()) continue;
    rows.push_back(left);
    left_columns.push_back(&left->factor->dense);
  }
  std::vector<const DenseColumns*> right_columns;
  for (const Partner& partner : partners) {
    if (!partner.candidate->factor->coded()) right_columns.push_back(&partner.candidate->factor->dense);
  }
  std::vector<std::uint8_t> is_wanted(left_columns.size() * right_columns.size(), 0);
  std::vector<CandidatePair> places(is_wanted.size());
  std::size_t column = 0;
  bool any = false;
  for (const Partner& partner : partners) {
    const bool by_level = partner.candidate->factor->coded();
    for (const CandidatePair& pair : partner.pairs) {
      if (std::find(lefts.begin(), lefts.end(), pair.k) == lefts.end()) continue;
      if (by_level || pair.k->factor->coded()) {
        // The lower id first, so that (k, i) and (i, k) are one computation.
        const bool rising = pair.k->feature < pair.i->feature;
        out[pair.request] = redundancy(*(rising ? pair.k : pair.i)->factor, *(rising ? pair.i : pair.k)->factor);
        continue;
      }
      const auto row = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), pair.k) - rows.begin());
      const std::size_t at = row * right_columns.size() + column;
      is_wanted[at] = 1;
      places[at] = pair;
      any = true;
    }
    column += by_level ? 0 : 1;
  }
  if (!any) return;
  pair_products(left_columns, right_columns, is_wanted, [&](std::size_t at, std::span<const double> products) {
    const auto& [request, k, i] = places[at];
    const Factor& left = *k->factor;
    const Factor& right = *i->factor;
    out[request] = left.scale * right.scale * sum_of_squares(products, left.columns, right.columns);
    if (products_) products_->keep(k->feature, i->feature, products, worker);
  });
}

std::vector<CandidatePair> ExactPairs::claim(std::span<const CandidatePair> pairs, std::span<double> out) {
  struct Claimed {
    const KeptProducts::Pair* kept = nullptr;
    CandidatePair pair;
  };
  struct Left {
    Candidate* candidate = nullptr;
    std::vector<Claimed> claims;
  };
  struct Right {
    Candidate* candidate = nullptr;
    std::size_t position = 0;
  };
  std::map<FeatureId, Left> by_left;
  std::map<FeatureId, Right> by_right;
  std::vector<CandidatePair> others;
  for (const CandidatePair& pair : pairs) {
    const auto* kept = claims_->find(pair.k->feature, pair.i->feature);
    if (kept == nullptr) {
      others.push_back(pair);
      continue;
    }
    const bool as_asked = kept->left == pair.k->feature;
    Left& left = by_left[kept->left];
    left.candidate = as_asked ? pair.k : pair.i;
    left.claims.push_back({kept, pair});
    by_right[kept->right].candidate = as_asked ? pair.i : pair.k;
  }
  if (by_left.empty()) return others;
  // The factors on the right are needed together, beside some on the left.
  constexpr std::size_t kHeld = 64;
  if (by_right.size() + 2 > holdings_.exact_together()) return {pairs.begin(), pairs.end()};
  const std::size_t most = std::min(kHeld, holdings_.exact_together() - by_right.size());

  std::vector<Candidate*> rights;
  std::vector<FeatureId> features;
  for (auto& [feature, right] : by_right) {
    right.position = rights.size();
    rights.push_back(right.candidate);
    features.push_back(feature);
  }
  holdings_.make(rights);
  ProductTest test(features, holdings_.samples());
  std::vector<double> scales(rights.size());
  holdings_.run(std::ssize(rights), 12.0 * static_cast<double>(holdings_.samples()), [&](std::int64_t item, int) {
    const auto r = static_cast<std::size_t>(item);
    test.project(r, *rights[r]->factor);
    scales[r] = rights[r]->factor->scale;
  });

  std::vector<const Left*> lefts;
  for (const auto& [feature, left] : by_left) lefts.push_back(&left);
  for (std::size_t first = 0; first < lefts.size(); first += most) {
    const auto held = std::span(lefts).subspan(first, std::min(most, lefts.size() - first));
    std::vector<Candidate*> needed;
    for (const Left* left : held) needed.push_back(left->candidate);
    holdings_.make(needed);
    std::vector<std::uint8_t> holds(held.size(), 0);
    // At most kTested at a time, spread over the threads.
    constexpr std::size_t kTested = 16;
    const auto threads = static_cast<std::size_t>(holdings_.threads());
    const std::size_t rounds = (held.size() + kTested * threads - 1) / (kTested * threads);
    const std::size_t tested_together = (held.size() + rounds * threads - 1) / (rounds * threads);
    const std::size_t groups = (held.size() + tested_together - 1) / tested_together;
    const double nanoseconds = 0.25 * static_cast<double>(tested_together * rights.size());  // a sample
    holdings_.run(static_cast<std::int64_t>(groups), nanoseconds * static_cast<double>(holdings_.samples()),
                  [&](std::int64_t item, int) {
                    const std::size_t begin = static_cast<std::size_t>(item) * tested_together;
                    std::vector<ProductTest::Left> tested;
                    for (std::size_t l = begin; l < std::min(begin + tested_together, held.size()); ++l) {
                      const Candidate& left = *held[l]->candidate;
                      auto& one = tested.emplace_back(ProductTest::Left{left.feature, left.factor.get(), {}});
                      for (const Claimed& claimed : held[l]->claims) {
                        one.claims.push_back({by_right.at(claimed.kept->right).position, claimed.kept->products});
                      }
                    }
                    const std::vector<bool> found = test.holds(tested);
                    for (std::size_t l = 0; l < found.size(); ++l) {
                      if (!found[l]) continue;
                      holds[begin + l] = 1;
                      const Factor& left = *tested[l].factor;
                      for (const Claimed& claimed : held[begin + l]->claims) {
                        const std::span<const double> products = claimed.kept->products;
                        const double scale = left.scale * scales[by_right.at(claimed.kept->right).position];
                        const auto columns = std::ssize(products) / left.columns;
                        out[claimed.pair.request] = scale * sum_of_squares(products, left.columns, columns);
                      }
                    }
                  });
    for (std::size_t l = 0; l < held.size(); ++l) {
      if (holds[l] != 0) continue;
      for (const Claimed& claimed : held[l]->claims) others.push_back(claimed.pair);
    }
  }
  return others;
}

}  // namespace land
