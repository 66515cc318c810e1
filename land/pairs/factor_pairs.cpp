#include "land/pairs/factor_pairs.h"

#include <algorithm>

#include "land/kernels/factors/column_products.h"
#include "land/pairs/claims.h"

namespace land {
namespace {

ExactForms factors(std::int64_t samples) {
  return {[](const FeatureView& feature, const Kernels& kernels) {
            return std::make_unique<const FactorForm>(kernels.factor(feature));
          },
          factor_bytes(samples)};
}

}  // namespace

FactorPairs::FactorPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                         const Factor& target_factor, const KernelOptions& options, const MemoryPlan& limits,
                         const KeptProducts* claims)
    : Candidates(engine, pool, context, scores, options, limits, factors(engine.samples())),
      target_factor_(target_factor),
      claims_(claims),
      products_(claims == nullptr ? std::make_unique<KeptProducts>(limits.products, pool.threads()) : nullptr) {}

std::unique_ptr<const KeptProducts> FactorPairs::take_products() {
  if (products_) products_->index();
  return std::move(products_);
}

double FactorPairs::largest_residual() const {
  return std::max(target_factor_.residual, Candidates::largest_residual());
}

std::span<Candidate* const> FactorPairs::made_ahead(std::span<Candidate* const> needed) {
  return needed.size() <= holdings().exact_together() ? needed : std::span<Candidate* const>();
}

double FactorPairs::relevance_of(const Candidate& candidate) const {
  return redundancy(factor_of(candidate), target_factor_);
}

void FactorPairs::spot_relevance(std::span<const FeatureId> features, std::span<double> out) {
  Holdings& held = holdings();
  // One factor for every thread beside those that are held.
  if (static_cast<std::size_t>(held.threads()) * 4 > held.exact_together()) held.drop_exact();
  const std::size_t count = held.fetched_together();
  for (; !features.empty(); features = features.subspan(std::min(count, features.size()))) {
    const auto group = features.first(std::min(count, features.size()));
    const auto blocks = held.fetch_once(group);
    held.run(std::ssize(group), 200.0 * static_cast<double>(held.samples()), [&](std::int64_t item, int) {
      const auto t = static_cast<std::size_t>(item);
      const Factor factor = held.kernels().factor(blocks[t]->view(0), FactorUse::kRelevance);
      // What this factor and the one that defines f may leave out differ by their residuals.
      const double between = kFactorsApart * factor.scale * factor.norm * target_factor_.scale * target_factor_.norm;
      out[t] = redundancy(factor, target_factor_) - between;
    });
    out = out.subspan(group.size());
  }
}

void FactorPairs::evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) {
  multiply(
      claims_ != nullptr ? claim_products(pairs, *claims_, holdings(), out) : std::vector(pairs.begin(), pairs.end()),
      out);
}

void FactorPairs::multiply(std::vector<CandidatePair> pairs, std::span<double> out) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const CandidatePair& a, const CandidatePair& b) { return a.k->feature < b.k->feature; });
  // A few candidates at a time, with all their partners; the threads share the partners out.
  constexpr std::size_t kCandidates = 4;
  const std::size_t together = std::min(kCandidates, holdings().exact_together() - 1);
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
    const std::size_t most = std::max(holdings().exact_together(), lefts.size() + 1) - lefts.size();
    for (std::size_t first = 0; first < partners.size(); first += most) {
      multiply_together(lefts, std::span(partners).subspan(first, std::min(most, partners.size() - first)), out);
    }
  }
}

void FactorPairs::multiply_together(std::span<Candidate* const> lefts, std::span<const Partner> partners,
                                    std::span<double> out) {
  std::vector<Candidate*> needed(lefts.begin(), lefts.end());
  for (const Partner& partner : partners) needed.push_back(partner.candidate);
  holdings().make(needed);
  // Work for every thread: a share of the partners each, so that the candidates are read no more often than needed; and
  // single candidates where partners are few.
  const auto tasks = static_cast<std::size_t>(holdings().threads());
  const std::size_t together = partners.size() < tasks ? 1 : lefts.size();
  const std::size_t share = (partners.size() + tasks - 1) / tasks;
  const std::size_t shares = (partners.size() + share - 1) / share;
  const std::size_t groups = (lefts.size() + together - 1) / together;
  const double cost = 12.0 * static_cast<double>(holdings().samples()) * static_cast<double>(share * together);
  holdings().run(static_cast<std::int64_t>(shares * groups), cost, [&](std::int64_t item, int worker) {
    const std::size_t first = static_cast<std::size_t>(item) % shares * share;
    const std::size_t left = static_cast<std::size_t>(item) / shares * together;
    multiply_share(lefts.subspan(left, std::min(together, lefts.size() - left)),
                   partners.subspan(first, std::min(share, partners.size() - first)), worker, out);
  });
}

void FactorPairs::multiply_share(std::span<Candidate* const> lefts, std::span<const Partner> partners, int worker,
                                 std::span<double> out) {
  // Two factors by sample: all of them together. At least one by level: one by one.
  std::vector<const Candidate*> rows;
  std::vector<const Columns*> left_columns;
  for (const Candidate* left : lefts) {
    if (factor_of(*left).coded()) continue;
    rows.push_back(left);
    left_columns.push_back(&factor_of(*left).by_sample());
  }
  std::vector<const Columns*> right_columns;
  for (const Partner& partner : partners) {
    if (!factor_of(*partner.candidate).coded()) right_columns.push_back(&factor_of(*partner.candidate).by_sample());
  }
  std::vector<std::uint8_t> is_wanted(left_columns.size() * right_columns.size(), 0);
  std::vector<CandidatePair> places(is_wanted.size());
  std::size_t column = 0;
  bool any = false;
  for (const Partner& partner : partners) {
    const bool by_level = factor_of(*partner.candidate).coded();
    for (const CandidatePair& pair : partner.pairs) {
      if (std::find(lefts.begin(), lefts.end(), pair.k) == lefts.end()) continue;
      if (by_level || factor_of(*pair.k).coded()) {
        // The lower id first, so that (k, i) and (i, k) are one computation.
        const bool rising = pair.k->feature < pair.i->feature;
        out[pair.request] = redundancy(factor_of(*(rising ? pair.k : pair.i)), factor_of(*(rising ? pair.i : pair.k)));
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
    const Factor& left = factor_of(*k);
    const Factor& right = factor_of(*i);
    out[request] = left.scale * right.scale * sum_of_squares(products, left.columns, right.columns);
    if (products_) products_->keep(k->feature, i->feature, products, worker);
  });
}

}  // namespace land
