#include "land/engine/candidates.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

namespace land {

struct Candidates::Candidate {
  FeatureId feature = 0;
  std::shared_ptr<const FeatureBlock> block;
  std::optional<Sketch> sketch;
  std::unique_ptr<Factor> factor;
  std::unique_ptr<FullKernel> full;
  std::optional<double> relevance;
  std::uint64_t used = 0;                 // when its factor was, last
  std::uint64_t fetched = 0;              // when its values were
  std::uint64_t looked_at = 0;            // when it was seen whether its sketch is there
  std::list<Candidate*>::iterator place;  // in exact_, if it is there

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
                       const MemoryPlan& limits, const KeptProducts* claims)
    : engine_(engine),
      pool_(pool),
      context_(context),
      scores_(scores),
      target_factor_(target_factor),
      target_kernel_(target_kernel),
      options_(options),
      basis_(options.sigma),
      limits_(limits),
      claims_(claims),
      products_(claims == nullptr ? std::make_unique<KeptProducts>(limits.products) : nullptr),
      largest_residual_(options.factor == FactorKind::kFull ? 0.0 : target_factor.residual) {}

Candidates::~Candidates() = default;

double Candidates::mean_columns() const { return factors_made_ > 0.0 ? columns_made_ / factors_made_ : 0.0; }

void Candidates::run(std::int64_t count, double nanoseconds_each, const std::function<void(std::int64_t, int)>& work) {
  constexpr double kWorthSharing = 12e3;
  constexpr double kWorthClaiming = 5e3;
  const auto share = std::clamp(static_cast<std::int64_t>(kWorthClaiming / nanoseconds_each), std::int64_t{1},
                                std::max<std::int64_t>(1, count / (2 * pool_.threads())));
  const auto stoppable = [&](std::int64_t part, int worker) {
    context_.check_stop();
    for (std::int64_t item = part * share; item < std::min((part + 1) * share, count); ++item) work(item, worker);
  };
  const std::int64_t parts = (count + share - 1) / share;
  if (static_cast<double>(count) * nanoseconds_each > kWorthSharing) {
    pool_.run(parts, stoppable);
  } else {
    for (std::int64_t part = 0; part < parts; ++part) stoppable(part, 0);
  }
}

Candidates::Candidate& Candidates::enlist(FeatureId feature) {
  Candidate*& recent = recent_[static_cast<std::size_t>(feature) % recent_.size()];
  if (recent == nullptr || recent->feature != feature) {
    auto& one = candidates_[feature];
    if (!one) {
      one = std::make_unique<Candidate>();
      one->feature = feature;
    }
    recent = one.get();
  }
  return *recent;
}

std::vector<Candidates::Candidate*> Candidates::fetch(std::span<const FeatureId> features) {
  std::vector<Candidate*> found;
  found.reserve(features.size());
  std::vector<FeatureId> missing;
  ++fetches_;
  for (std::size_t t = 0; t < features.size(); ++t) {
    // Pairs come with their first features alike.
    if (t >= 2 && features[t] == features[t - 2]) {
      found.push_back(found[t - 2]);
      continue;
    }
    Candidate& one = enlist(features[t]);
    if (!one.block && one.fetched != fetches_) missing.push_back(one.feature);
    one.fetched = fetches_;
    found.push_back(&one);
  }
  if (missing.empty()) return found;
  std::sort(missing.begin(), missing.end());
  make_room(std::ssize(missing) * fetched_size());
  const auto blocks = engine_.fetch(missing);
  for (std::size_t t = 0; t < missing.size(); ++t) candidate(missing[t]).block = blocks[t];
  fetched_bytes_ += std::ssize(missing) * fetched_size();
  return found;
}

std::int64_t Candidates::fetched_size() const {
  constexpr std::int64_t kValue = 8;
  constexpr std::int64_t kSketch = kSketchColumns * static_cast<std::int64_t>(sizeof(std::int16_t));
  return engine_.samples() * (kValue + kSketch) + static_cast<std::int64_t>(sizeof(Candidate) + sizeof(FeatureHeader));
}

void Candidates::make_room(std::int64_t bytes) {
  const std::int64_t most = limits_.candidates - limits_.factors - bytes;
  if (fetched_bytes_ <= most) return;
  std::vector<Candidate*> held;
  for (const auto& [feature, one] : candidates_) {
    if (one->block && one->fetched != fetches_) held.push_back(one.get());
  }
  std::sort(held.begin(), held.end(), [](const Candidate* a, const Candidate* b) {
    return a->fetched != b->fetched ? a->fetched < b->fetched : a->feature < b->feature;
  });
  // More than is needed, so that this is not done again at once.
  for (Candidate* oldest : held) {
    if (fetched_bytes_ <= most / 4 * 3) break;
    oldest->block.reset();
    oldest->sketch.reset();
    fetched_bytes_ -= fetched_size();
  }
}

const FeatureBlock& Candidates::column(FeatureId feature) {
  fetch({&feature, 1});
  return *candidate(feature).block;
}

void Candidates::make_sketches(std::span<Candidate* const> wanted, int count) {
  const auto samples = static_cast<double>(engine_.samples());
  run(std::ssize(wanted), 20.0 * samples, [&](std::int64_t item, int) {
    Candidate& one = *wanted[static_cast<std::size_t>(item)];
    const double norm = static_cast<double>(scores_.norm[static_cast<std::size_t>(one.feature)]);
    one.sketch =
        make_sketch(one.block->view(0), basis_, kernel_scale(options_.measure, norm, samples), options_.missing, count);
  });
}

void Candidates::make_exact(std::span<const FeatureId> features) {
  std::vector<Candidate*> missing;
  ++clock_;
  for (const FeatureId feature : features) {
    Candidate& one = candidate(feature);
    if (one.exact()) {
      exact_.splice(exact_.begin(), exact_, one.place);
    } else if (one.used != clock_) {
      missing.push_back(&one);
    }
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
    exact_bytes_ += one->bytes();
    one->place = exact_.insert(exact_.begin(), one);
  }
  drop_least_recent();
}

void Candidates::drop_least_recent() {
  while (exact_bytes_ > limits_.factors && exact_.back()->used != clock_) {
    Candidate& oldest = *exact_.back();
    exact_bytes_ -= oldest.bytes();
    oldest.factor.reset();
    oldest.full.reset();
    exact_.pop_back();
  }
}

// Features that fit into `bytes` together, but at least two.
std::size_t Candidates::fitting(std::int64_t bytes, std::int64_t each) {
  return static_cast<std::size_t>(std::max<std::int64_t>(2, bytes / each));
}

std::size_t Candidates::fetched_together() const {
  return fitting(limits_.candidates - limits_.factors, fetched_size());
}

std::size_t Candidates::exact_together() const {
  const std::int64_t n = engine_.samples();
  return fitting(limits_.factors, n * static_cast<std::int64_t>(sizeof(double)) *
                                      (options_.factor == FactorKind::kFull ? n : kFactorColumns));
}

void Candidates::prepare(std::span<const FeatureId> features) {
  if (features.size() <= fetched_together()) fetch(features);
}

void Candidates::relevance(std::span<const FeatureId> features, std::span<double> out) {
  constexpr std::size_t kMost = 64;
  const std::size_t most = options_.factor == FactorKind::kFull ? static_cast<std::size_t>(pool_.threads()) : kMost;
  const std::size_t count = std::min({most, fetched_together(), exact_together()});
  prepare(features);
  for (; !features.empty(); features = features.subspan(std::min(count, features.size()))) {
    const auto group = features.first(std::min(count, features.size()));
    std::vector<FeatureId> unknown;
    fetch(group);
    for (const FeatureId feature : group) {
      if (!candidate(feature).relevance) unknown.push_back(feature);
    }
    make_exact(unknown);
    run(std::ssize(unknown), 20.0 * static_cast<double>(engine_.samples()), [&](std::int64_t item, int) {
      Candidate& one = candidate(unknown[static_cast<std::size_t>(item)]);
      one.relevance = one.full ? inner_product(*one.full, *target_kernel_) : redundancy(*one.factor, target_factor_);
    });
    for (std::size_t t = 0; t < group.size(); ++t) out[t] = *candidate(group[t]).relevance;
    out = out.subspan(group.size());
  }
}

void Candidates::spot_relevance(std::span<const FeatureId> features, std::span<double> out) {
  if (options_.factor == FactorKind::kFull) return relevance(features, out);
  const std::size_t count = fetched_together();
  for (; !features.empty(); features = features.subspan(std::min(count, features.size()))) {
    const auto group = features.first(std::min(count, features.size()));
    make_room(std::ssize(group) * fetched_size());
    const auto blocks = engine_.fetch(group);
    run(std::ssize(group), 200.0 * static_cast<double>(engine_.samples()), [&](std::int64_t item, int) {
      const auto t = static_cast<std::size_t>(item);
      const Factor factor = make_factor(blocks[t]->view(0), options_, FactorUse::kRelevance);
      // What this factor and the one that defines f may leave out differ by their residuals.
      const double between = kFactorsApart * factor.scale * factor.norm * target_factor_.scale * target_factor_.norm;
      out[t] = redundancy(factor, target_factor_) - between;
    });
    out = out.subspan(group.size());
  }
}

void Candidates::evaluate(std::span<const PairRequest> requests, std::span<double> out) {
  std::vector<std::size_t> unknown;
  for (std::size_t t = 0; t < requests.size(); ++t) {
    if (requests[t].k == requests[t].i && options_.measure == Measure::kNhsic) {
      out[t] = 1.0;  // by definition
      continue;
    }
    if (requests[t].stage == stages()) {
      const auto found = known_.find({requests[t].k, requests[t].i});
      if (found != known_.end()) {
        out[t] = found->second;
        continue;
      }
    }
    unknown.push_back(t);
  }
  // As many at a time as their features fit.
  const std::size_t most = fetched_together();
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
  for (const std::size_t t : which) {
    features.push_back(requests[t].k);
    features.push_back(requests[t].i);
  }
  const std::vector<Candidate*> fetched = fetch(features);
  std::vector<LowPair> low;
  std::vector<std::size_t> exact;
  for (std::size_t w = 0; w < which.size(); ++w) {
    if (requests[which[w]].stage == stages()) {
      exact.push_back(which[w]);
    } else {
      low.push_back({which[w], fetched[2 * w], fetched[2 * w + 1]});
    }
  }
  if (!low.empty()) low_pairs(requests, low, out);
  if (exact.empty()) return;
  if (options_.factor == FactorKind::kFull) {
    full_pairs(requests, exact, out);
  } else {
    factor_pairs(requests, claims_ == nullptr ? exact : claimed_pairs(requests, exact, out), out);
  }
  constexpr std::size_t kMostKnown = 200000;
  for (const std::size_t t : exact) {
    if (known_.size() < kMostKnown) known_.try_emplace({requests[t].k, requests[t].i}, out[t]);
  }
}

void Candidates::low_pairs(std::span<const PairRequest> requests, std::span<const LowPair> pairs,
                           std::span<double> out) {
  for (const int stage : {1, 2}) {
    std::vector<Candidate*> wanted;
    ++lookouts_;
    for (const auto& [t, k, i] : pairs) {
      if (requests[t].stage != stage) continue;
      for (Candidate* one : {k, i}) {
        if (std::exchange(one->looked_at, lookouts_) == lookouts_) continue;
        if (!one->sketch || one->sketch->count < sketch_columns(stage)) wanted.push_back(one);
      }
    }
    make_sketches(wanted, sketch_columns(stage));
  }
  run(std::ssize(pairs), 0.7 * static_cast<double>(engine_.samples()), [&](std::int64_t item, int) {
    const auto [t, k, i] = pairs[static_cast<std::size_t>(item)];
    // The lower id first, so that (k, i) and (i, k) are one computation.
    const bool rising = k->feature < i->feature;
    out[t] = sketch_bound(*(rising ? k : i)->sketch, *(rising ? i : k)->sketch, sketch_columns(requests[t].stage));
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
  std::vector<std::size_t> ordered(which.begin(), which.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](std::size_t a, std::size_t b) { return requests[a].k < requests[b].k; });

  // A few candidates at a time, with all their partners; the threads share the partners out.
  constexpr std::size_t kCandidates = 4;
  std::vector<FeatureId> lefts;
  std::vector<Wanted> wanted;
  std::vector<Partner> partners;
  for (std::size_t next = 0; next < ordered.size();) {
    lefts.clear();
    wanted.clear();
    for (; next < ordered.size(); ++next) {
      const PairRequest& request = requests[ordered[next]];
      if (lefts.empty() || lefts.back() != request.k) {
        if (lefts.size() == kCandidates) break;
        lefts.push_back(request.k);
      }
      wanted.push_back({request.i, lefts.size() - 1, ordered[next]});
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const Wanted& a, const Wanted& b) { return a.partner < b.partner; });
    partners.clear();
    for (std::size_t first = 0; first < wanted.size();) {
      std::size_t last = first;
      while (last < wanted.size() && wanted[last].partner == wanted[first].partner) ++last;
      partners.push_back({wanted[first].partner, std::span(wanted).subspan(first, last - first)});
      first = last;
    }
    const std::size_t most = std::max(exact_together(), lefts.size() + 1) - lefts.size();
    for (std::size_t begin = 0; begin < partners.size(); begin += most) {
      pair_up_all(lefts, std::span(partners).subspan(begin, std::min(most, partners.size() - begin)), out);
    }
  }
}

void Candidates::pair_up_all(std::span<const FeatureId> lefts, std::span<const Partner> partners,
                             std::span<double> out) {
  std::vector<FeatureId> needed(lefts.begin(), lefts.end());
  for (const Partner& partner : partners) needed.push_back(partner.feature);
  make_exact(needed);
  // Work for every thread: a share of the partners each, so that the candidates are read no more often than needed; and
  // single candidates where partners are few.
  const auto tasks = static_cast<std::size_t>(pool_.threads());
  const std::size_t together = partners.size() < tasks ? 1 : lefts.size();
  const std::size_t share = (partners.size() + tasks - 1) / tasks;
  const std::size_t shares = (partners.size() + share - 1) / share;
  const std::size_t groups = (lefts.size() + together - 1) / together;
  const double cost = 12.0 * static_cast<double>(engine_.samples()) * static_cast<double>(share * together);
  run(static_cast<std::int64_t>(shares * groups), cost, [&](std::int64_t item, int) {
    const std::size_t begin = static_cast<std::size_t>(item) % shares * share;
    const std::size_t left = static_cast<std::size_t>(item) / shares * together;
    pair_up(lefts, left, std::min(lefts.size(), left + together),
            partners.subspan(begin, std::min(share, partners.size() - begin)), out);
  });
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
  struct Place {
    FeatureId left = 0;
    FeatureId right = 0;
    std::size_t request = 0;
  };
  std::vector<std::uint8_t> is_wanted(left_columns.size() * right_columns.size(), 0);
  std::vector<Place> places(is_wanted.size());
  std::size_t column = 0;
  for (const Partner& partner : partners) {
    const bool by_level = candidate(partner.feature).factor->coded();
    for (const auto& [i, l, t] : partner.wanted_by) {
      if (l < first || l >= last) continue;
      if (by_level || candidate(lefts[l]).factor->coded()) {
        // The lower id first, so that (k, i) and (i, k) are one computation.
        const auto [a, b] = std::minmax(lefts[l], partner.feature);
        out[t] = redundancy(*candidate(a).factor, *candidate(b).factor);
      } else {
        const std::size_t at = row[l] * right_columns.size() + column;
        is_wanted[at] = 1;
        places[at] = {lefts[l], partner.feature, t};
      }
    }
    column += by_level ? 0 : 1;
  }
  if (std::find(is_wanted.begin(), is_wanted.end(), 1) == is_wanted.end()) return;
  pair_products(left_columns, right_columns, is_wanted, [&](std::size_t at, std::span<const double> products) {
    const auto& [k, i, t] = places[at];
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
  // The factors on the right are needed together, beside some on the left.
  constexpr std::size_t kHeld = 64;
  if (position.size() + 2 > exact_together()) return {which.begin(), which.end()};
  const std::size_t most = std::min(kHeld, exact_together() - position.size());

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
  constexpr std::size_t kTested = 4;
  for (std::size_t first = 0; first < lefts.size(); first += most) {
    const auto held = std::span(lefts).subspan(first, std::min(most, lefts.size() - first));
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
          for (std::size_t l = 0; l < found.size(); ++l) {
            if (!found[l]) continue;
            holds[begin + l] = 1;
            const Factor& left = *tested[l].factor;
            for (const Claimed& claimed : by_left.at(tested[l].feature)) {
              const std::vector<double>& products = claimed.pair->products;
              const double scale = left.scale * scales[position.at(claimed.pair->right)];
              const auto columns = std::ssize(products) / left.columns;
              out[claimed.request] = scale * sum_of_squares(products, left.columns, columns);
            }
          }
        });
    for (std::size_t l = 0; l < held.size(); ++l) {
      if (holds[l] != 0) continue;
      for (const Claimed& claimed : by_left.at(held[l])) others.push_back(claimed.request);
    }
  }
  return others;
}

}  // namespace land
