#include "land/engine/candidates.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

namespace land {

struct Candidates::Candidate {
  FeatureId feature = 0;
  std::shared_ptr<const FeatureBlock> block;
  std::optional<Sketch> sketch;
  std::unique_ptr<Factor> factor;
  std::unique_ptr<FullKernel> full;
  std::optional<double> relevance;
  std::uint64_t used = 0;  // when last

  bool exact() const { return factor != nullptr || full != nullptr; }
  std::int64_t bytes() const {
    std::size_t doubles = 0;
    if (factor) doubles += factor->dense.values.size() + factor->levels.size() + factor->codes.size() / 4;
    if (full) doubles += full->values.size();
    return static_cast<std::int64_t>(doubles * sizeof(double));
  }
};

Candidates::Candidates(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                       const Factor& target_factor, const FullKernel* target_kernel, const KernelOptions& options,
                       std::int64_t most_bytes, const KeptProducts* claims)
    : engine_(engine),
      pool_(pool),
      context_(context),
      scores_(scores),
      target_factor_(target_factor),
      target_kernel_(target_kernel),
      options_(options),
      basis_(options.sigma),
      most_bytes_(most_bytes),
      claims_(claims),
      products_(claims == nullptr ? std::make_unique<KeptProducts>() : nullptr),
      largest_residual_(options.factor == FactorKind::kFull ? 0.0 : target_factor.residual) {}

Candidates::~Candidates() = default;

double Candidates::mean_columns() const { return factors_made_ > 0.0 ? columns_made_ / factors_made_ : 0.0; }

void Candidates::run(std::int64_t count, double nanoseconds_each, const std::function<void(std::int64_t, int)>& work) {
  constexpr double kWorthWaking = 60e3;
  const auto stoppable = [&](std::int64_t item, int worker) {
    context_.check_stop();
    work(item, worker);
  };
  if (static_cast<double>(count) * nanoseconds_each > kWorthWaking) {
    pool_.run(count, stoppable);
  } else {
    for (std::int64_t item = 0; item < count; ++item) stoppable(item, 0);
  }
}

void Candidates::fetch(std::span<const FeatureId> features) {
  std::vector<FeatureId> missing;
  for (const FeatureId feature : features) {
    if (!candidates_.contains(feature)) missing.push_back(feature);
  }
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const auto blocks = engine_.fetch(missing);
  for (std::size_t t = 0; t < missing.size(); ++t) {
    auto fresh = std::make_unique<Candidate>();
    fresh->feature = missing[t];
    fresh->block = blocks[t];
    candidates_.emplace(missing[t], std::move(fresh));
  }
}

const FeatureBlock& Candidates::column(FeatureId feature) {
  fetch({&feature, 1});
  return *candidate(feature).block;
}

void Candidates::make_sketches(std::span<const FeatureId> features) {
  std::vector<Candidate*> missing;
  for (const FeatureId feature : features) {
    Candidate& one = candidate(feature);
    if (!one.sketch) missing.push_back(&one);
  }
  std::sort(missing.begin(), missing.end(),
            [](const Candidate* a, const Candidate* b) { return a->feature < b->feature; });
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const auto samples = static_cast<double>(engine_.samples());
  run(std::ssize(missing), 20.0 * samples, [&](std::int64_t item, int) {
    Candidate& one = *missing[static_cast<std::size_t>(item)];
    const double norm = scores_.features[static_cast<std::size_t>(one.feature)].norm;
    one.sketch = make_sketch(one.block->view(0), basis_, kernel_scale(options_.measure, norm, samples),
                             options_.missing);
  });
}

void Candidates::make_exact(std::span<const FeatureId> features) {
  std::vector<Candidate*> missing;
  ++clock_;
  for (const FeatureId feature : features) {
    Candidate& one = candidate(feature);
    if (!one.exact() && one.used != clock_) missing.push_back(&one);
    one.used = clock_;
  }
  if (missing.empty()) return;
  std::mutex mutex;
  const auto samples = static_cast<double>(engine_.samples());
  run(std::ssize(missing), 400.0 * samples, [&](std::int64_t item, int) {
    Candidate& one = *missing[static_cast<std::size_t>(item)];
    const FeatureView view = one.block->view(0);
    if (options_.factor == FactorKind::kFull) {
      one.full = std::make_unique<FullKernel>(make_full_kernel(view, options_));
      return;
    }
    one.factor = std::make_unique<Factor>(make_factor(view, options_));
    const std::lock_guard lock(mutex);
    largest_residual_ = std::max(largest_residual_, one.factor->residual);
    columns_made_ += static_cast<double>(one.factor->columns);
    factors_made_ += 1.0;
  });
  for (Candidate* one : missing) {
    bytes_ += one->bytes();
    exact_.push_back(one);
  }
  drop_least_recent();
}

void Candidates::drop_least_recent() {
  if (bytes_ <= most_bytes_) return;
  std::sort(exact_.begin(), exact_.end(), [](const Candidate* a, const Candidate* b) { return a->used > b->used; });
  while (bytes_ > most_bytes_ && exact_.back()->used != clock_) {
    Candidate& oldest = *exact_.back();
    bytes_ -= oldest.bytes();
    oldest.factor.reset();
    oldest.full.reset();
    exact_.pop_back();
  }
}

void Candidates::prepare(std::span<const FeatureId> features) { fetch(features); }

void Candidates::relevance(std::span<const FeatureId> features, std::span<double> out) {
  fetch(features);
  // So many are held at once.
  const std::size_t together = options_.factor == FactorKind::kFull ? static_cast<std::size_t>(pool_.threads()) : 64;
  for (std::size_t first = 0; first < features.size(); first += together) {
    const std::size_t count = std::min(together, features.size() - first);
    std::vector<FeatureId> unknown;
    for (const FeatureId feature : features.subspan(first, count)) {
      if (!candidate(feature).relevance) unknown.push_back(feature);
    }
    make_exact(unknown);
    run(std::ssize(unknown), 20.0 * static_cast<double>(engine_.samples()), [&](std::int64_t item, int) {
      Candidate& one = candidate(unknown[static_cast<std::size_t>(item)]);
      one.relevance = one.full ? inner_product(*one.full, *target_kernel_) : redundancy(*one.factor, target_factor_);
    });
    for (std::size_t t = first; t < first + count; ++t) out[t] = *candidate(features[t]).relevance;
  }
}

void Candidates::evaluate(std::span<const PairRequest> requests, std::span<double> out) {
  std::vector<FeatureId> features;
  std::vector<std::size_t> low;
  std::vector<std::size_t> exact;
  for (std::size_t t = 0; t < requests.size(); ++t) {
    if (requests[t].k == requests[t].i && options_.measure == Measure::kNhsic) {
      out[t] = 1.0;  // by definition
      continue;
    }
    if (requests[t].stage == stages()) {
      const auto found = known_.find(std::minmax(requests[t].k, requests[t].i));
      if (found != known_.end()) {
        out[t] = found->second;
        continue;
      }
    }
    features.push_back(requests[t].k);
    features.push_back(requests[t].i);
    (requests[t].stage < stages() ? low : exact).push_back(t);
  }
  fetch(features);
  if (!low.empty()) low_pairs(requests, low, out);
  if (exact.empty()) return;
  if (options_.factor == FactorKind::kFull) {
    full_pairs(requests, exact, out);
  } else {
    factor_pairs(requests, claims_ == nullptr ? exact : claimed_pairs(requests, exact, out), out);
  }
  constexpr std::size_t kMostKnown = 200000;
  for (const std::size_t t : exact) {
    if (known_.size() < kMostKnown) known_.emplace(std::minmax(requests[t].k, requests[t].i), out[t]);
  }
}

void Candidates::low_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                           std::span<double> out) {
  std::vector<FeatureId> features;
  for (const std::size_t t : which) {
    features.push_back(requests[t].k);
    features.push_back(requests[t].i);
  }
  make_sketches(features);
  run(std::ssize(which), 0.7 * static_cast<double>(engine_.samples()), [&](std::int64_t item, int) {
    const std::size_t t = which[static_cast<std::size_t>(item)];
    const PairRequest& request = requests[t];
    // The lower id first, so that (k, i) and (i, k) are one computation.
    const auto [a, b] = std::minmax(request.k, request.i);
    out[t] = sketch_bound(*candidate(a).sketch, *candidate(b).sketch, request.stage == 1 ? 2 : 4);
  });
}

void Candidates::full_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                            std::span<double> out) {
  // One pair at a time: never more full matrices than the cache allows, or two.
  for (const std::size_t t : which) {
    const std::array<FeatureId, 2> pair{requests[t].k, requests[t].i};
    context_.check_stop();
    make_exact(pair);
    out[t] = inner_product(*candidate(pair[0]).full, *candidate(pair[1]).full);
  }
}

void Candidates::factor_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                              std::span<double> out) {
  std::map<FeatureId, std::vector<std::size_t>> by_candidate;
  for (const std::size_t t : which) by_candidate[requests[t].k].push_back(t);
  std::vector<FeatureId> candidates;
  for (const auto& [k, list] : by_candidate) candidates.push_back(k);

  // A few candidates at a time, with all their partners; the threads share the partners out.
  constexpr std::size_t kCandidates = 4;
  for (std::size_t first = 0; first < candidates.size(); first += kCandidates) {
    const std::span<const FeatureId> lefts =
        std::span(candidates).subspan(first, std::min(kCandidates, candidates.size() - first));
    std::map<FeatureId, Partner> by_id;
    std::vector<FeatureId> needed(lefts.begin(), lefts.end());
    for (std::size_t l = 0; l < lefts.size(); ++l) {
      for (const std::size_t t : by_candidate[lefts[l]]) by_id[requests[t].i].wanted_by.emplace_back(l, t);
    }
    std::vector<Partner> partners;
    for (auto& [i, partner] : by_id) {
      partner.feature = i;
      partners.push_back(std::move(partner));
      needed.push_back(i);
    }
    make_exact(needed);
    // Work for every thread: shares of the partners, and single candidates where partners are few.
    const std::size_t tasks = 2 * static_cast<std::size_t>(pool_.threads());
    const std::size_t together = partners.size() < tasks ? 1 : lefts.size();
    const std::size_t share = (partners.size() + tasks - 1) / tasks;
    const std::size_t shares = (partners.size() + share - 1) / share;
    const std::size_t groups = (lefts.size() + together - 1) / together;
    const double cost = 12.0 * static_cast<double>(engine_.samples()) * static_cast<double>(share * together);
    run(static_cast<std::int64_t>(shares * groups), cost, [&](std::int64_t item, int) {
      const std::size_t begin = static_cast<std::size_t>(item) % shares * share;
      const std::size_t left = static_cast<std::size_t>(item) / shares * together;
      pair_up(lefts, left, std::min(lefts.size(), left + together),
              std::span(partners).subspan(begin, std::min(share, partners.size() - begin)), out);
    });
  }
}

void Candidates::pair_up(std::span<const FeatureId> lefts, std::size_t first, std::size_t last,
                         std::span<const Partner> partners, std::span<double> out) {
  // Two factors by sample: all of them together. At least one by level: one by one.
  std::vector<const DenseColumns*> left_columns;
  std::vector<std::size_t> row(lefts.size(), 0);
  for (std::size_t l = first; l < last; ++l) {
    const Factor& factor = *candidate(lefts[l]).factor;
    if (factor.coded()) continue;
    row[l] = left_columns.size();
    left_columns.push_back(&factor.dense);
  }
  std::vector<const DenseColumns*> right_columns;
  for (const Partner& partner : partners) {
    const Factor& factor = *candidate(partner.feature).factor;
    if (!factor.coded()) right_columns.push_back(&factor.dense);
  }
  struct Wanted {
    FeatureId left = 0;
    FeatureId right = 0;
    std::size_t request = 0;
  };
  std::vector<std::uint8_t> is_wanted(left_columns.size() * right_columns.size(), 0);
  std::vector<Wanted> wanted(is_wanted.size());
  std::size_t column = 0;
  for (const Partner& partner : partners) {
    const bool by_level = candidate(partner.feature).factor->coded();
    for (const auto& [l, t] : partner.wanted_by) {
      if (l < first || l >= last) continue;
      if (by_level || candidate(lefts[l]).factor->coded()) {
        // The lower id first, so that (k, i) and (i, k) are one computation.
        const auto [a, b] = std::minmax(lefts[l], partner.feature);
        out[t] = redundancy(*candidate(a).factor, *candidate(b).factor);
      } else {
        const std::size_t at = row[l] * right_columns.size() + column;
        is_wanted[at] = 1;
        wanted[at] = {lefts[l], partner.feature, t};
      }
    }
    column += by_level ? 0 : 1;
  }
  if (std::find(is_wanted.begin(), is_wanted.end(), 1) == is_wanted.end()) return;
  pair_products(left_columns, right_columns, is_wanted, [&](std::size_t at, std::span<const double> products) {
    const auto& [k, i, t] = wanted[at];
    const Factor& left = *candidate(k).factor;
    const Factor& right = *candidate(i).factor;
    out[t] = left.scale * right.scale * sum_of_squares(products, left.columns, right.columns);
    if (products_) products_->keep(k, i, products);
  });
}

std::vector<std::size_t> Candidates::claimed_pairs(std::span<const PairRequest> requests,
                                                   std::span<const std::size_t> which, std::span<double> out) {
  struct Claimed {
    const KeptProducts::Pair* pair = nullptr;
    std::size_t request = 0;
  };
  std::map<FeatureId, std::vector<Claimed>> by_left;
  std::map<FeatureId, std::size_t> position;  // of every feature on the right
  std::vector<std::size_t> others;
  for (const std::size_t t : which) {
    if (const auto* pair = claims_->find(requests[t].k, requests[t].i)) {
      by_left[pair->left].push_back({pair, t});
      position[pair->right] = 0;
    } else {
      others.push_back(t);
    }
  }
  if (by_left.empty()) return others;

  std::vector<FeatureId> rights;
  for (auto& [i, at] : position) {
    at = rights.size();
    rights.push_back(i);
  }
  make_exact(rights);
  std::vector<const Factor*> factors;
  std::vector<double> scales;
  for (const FeatureId i : rights) {
    factors.push_back(candidate(i).factor.get());
    scales.push_back(factors.back()->scale);
  }
  const ProductTest test(rights, factors);

  std::vector<FeatureId> lefts;
  for (const auto& [k, claimed] : by_left) lefts.push_back(k);
  constexpr std::size_t kHeld = 64;  // factors on the left that are held at once
  constexpr std::size_t kTested = 4;
  for (std::size_t first = 0; first < lefts.size(); first += kHeld) {
    const auto held = std::span(lefts).subspan(first, std::min(kHeld, lefts.size() - first));
    make_exact(held);
    std::vector<std::uint8_t> holds(held.size(), 0);
    const std::size_t groups = (held.size() + kTested - 1) / kTested;
    run(static_cast<std::int64_t>(groups), static_cast<double>(engine_.samples() * std::ssize(rights)),
        [&](std::int64_t item, int) {
          const std::size_t begin = static_cast<std::size_t>(item) * kTested;
          std::vector<ProductTest::Left> tested;
          for (std::size_t l = begin; l < std::min(begin + kTested, held.size()); ++l) {
            auto& left = tested.emplace_back(ProductTest::Left{held[l], candidate(held[l]).factor.get(), {}});
            for (const Claimed& claimed : by_left.at(held[l])) {
              left.claims.push_back({position.at(claimed.pair->right), claimed.pair->products});
            }
          }
          const std::vector<bool> found = test.holds(tested);
          for (std::size_t l = 0; l < found.size(); ++l) holds[begin + l] = found[l] ? 1 : 0;
        });
    for (std::size_t l = 0; l < held.size(); ++l) {
      const Factor& left = *candidate(held[l]).factor;
      for (const auto& [pair, t] : by_left.at(held[l])) {
        if (holds[l] == 0) {
          others.push_back(t);
          continue;
        }
        const auto columns = std::ssize(pair->products) / left.columns;
        out[t] = left.scale * scales[position.at(pair->right)] * sum_of_squares(pair->products, left.columns, columns);
      }
    }
  }
  return others;
}

}  // namespace land
