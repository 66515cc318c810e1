#include "land/engine/holdings.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <utility>

namespace land {

Holdings::Holdings(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                   const KernelOptions& options, const MemoryPlan& limits)
    : engine_(engine),
      pool_(pool),
      context_(context),
      scores_(scores),
      options_(options),
      basis_(options.sigma),
      plan_(limits),
      limits_(limits) {}

void Holdings::set_aside(std::int64_t bytes) {
  // Candidates that were dropped are still known by name.
  const auto names = static_cast<std::int64_t>(candidates_.size() * (sizeof(Candidate) + 4 * sizeof(void*)));
  const std::int64_t taken = std::max<std::int64_t>(0, bytes + names - plan_.aside);
  const std::int64_t least = plan_.least;
  if (plan_.candidates - taken < least && context_.memory > 0) {
    constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;
    // Were all features like those so far.
    const double more = static_cast<double>(bytes + names) * static_cast<double>(engine_.features()) /
                        static_cast<double>(candidates_.size() + 1);
    throw InputError(fmt::format("--memory {}M: too little, since {} features of {} matter so far; give {}M to be sure",
                                 context_.memory / kMegabyte, candidates_.size(), engine_.features(),
                                 (context_.memory + static_cast<std::int64_t>(2.0 * more)) / kMegabyte + 1));
  }
  limits_.candidates = std::max(least, plan_.candidates - taken);
  const double share = static_cast<double>(limits_.candidates) / static_cast<double>(plan_.candidates);
  limits_.factors = static_cast<std::int64_t>(share * static_cast<double>(plan_.factors));
}

void Holdings::run(std::int64_t count, double nanoseconds_each,
                   const std::function<void(std::int64_t, int)>& work) const {
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

// --- Values ----------------------------------------------------------------------------------------------------------

Candidate& Holdings::enlist(FeatureId feature) {
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

std::vector<Candidate*> Holdings::fetch(std::span<const FeatureId> features) {
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
  const auto blocks = fetch_once(missing);
  for (std::size_t t = 0; t < missing.size(); ++t) enlist(missing[t]).block = blocks[t];
  fetched_bytes_ += std::ssize(missing) * fetched_size();
  return found;
}

std::vector<std::shared_ptr<const FeatureBlock>> Holdings::fetch_once(std::span<const FeatureId> features) {
  make_room(std::ssize(features) * fetched_size());
  return engine_.fetch(features);
}

std::int64_t Holdings::fetched_size() const {
  constexpr std::int64_t kValue = 8;
  constexpr std::int64_t kSketch = kSketchColumns * static_cast<std::int64_t>(sizeof(std::int16_t));
  return engine_.samples() * (kValue + kSketch) + static_cast<std::int64_t>(sizeof(Candidate) + sizeof(FeatureHeader));
}

void Holdings::make_room(std::int64_t bytes) {
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

std::size_t Holdings::fitting(std::int64_t bytes, std::int64_t each) {
  return static_cast<std::size_t>(std::max<std::int64_t>(2, bytes / each));
}

std::size_t Holdings::fetched_together() const { return fitting(limits_.candidates - limits_.factors, fetched_size()); }

// --- Factors and sketches --------------------------------------------------------------------------------------------

std::int64_t Holdings::exact_size() const {
  const std::int64_t n = engine_.samples();
  return n * static_cast<std::int64_t>(sizeof(double)) * (options_.factor == FactorKind::kFull ? n : kFactorColumns);
}

std::size_t Holdings::exact_together() const { return fitting(limits_.factors, exact_size()); }

void Holdings::drop_factors() {
  ++clock_;
  make_room_for_factors(limits_.factors / exact_size() + 1);
}

void Holdings::make(std::span<Candidate* const> exact, std::span<Candidate* const> sketched) {
  context_.check_stop();
  std::vector<Candidate*> missing;
  ++clock_;
  for (Candidate* one : exact) {
    if (one->exact()) {
      exact_.splice(exact_.begin(), exact_, one->place);
    } else if (one->used != clock_) {
      missing.push_back(one);
    }
    one->used = clock_;
  }
  // The longest first: whoever is done with a factor takes sketches.
  constexpr double kFactorCost = 200.0;
  constexpr double kSketchCost = 10.0;
  const auto factors = std::ssize(missing);
  const std::int64_t all = factors + std::ssize(sketched);
  if (all == 0) return;
  const double cost = kFactorCost * static_cast<double>(factors) + kSketchCost * static_cast<double>(sketched.size());
  make_room_for_factors(factors);
  run(all, cost * static_cast<double>(samples()) / static_cast<double>(all), [&](std::int64_t item, int) {
    if (item < factors) {
      make_exact(*missing[static_cast<std::size_t>(item)]);
    } else {
      make_sketch_of(*sketched[static_cast<std::size_t>(item - factors)]);
    }
  });
  for (Candidate* one : missing) {
    exact_bytes_ += one->bytes();
    one->place = exact_.insert(exact_.begin(), one);
    if (!one->factor || std::exchange(one->counted, true)) continue;
    largest_residual_ = std::max(largest_residual_, one->factor->residual);
    columns_made_ += static_cast<double>(one->factor->columns);
    factors_made_ += 1.0;
  }
  make_room_for_factors(0);
}

void Holdings::make_exact(Candidate& one) const {
  const FeatureView view = one.block->view(0);
  if (options_.factor == FactorKind::kFull) {
    one.full = std::make_unique<FullKernel>(make_full_kernel(view, options_));
  } else {
    one.factor = std::make_unique<Factor>(make_factor(view, options_));
  }
}

void Holdings::make_sketch_of(Candidate& one) const {
  const auto norm = static_cast<double>(scores_.norm[static_cast<std::size_t>(one.feature)]);
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples()));
  one.sketch = make_sketch(one.block->view(0), basis_, scale, options_.missing, one.columns_wanted);
}

void Holdings::make_room_for_factors(std::int64_t count) {
  const std::int64_t most = limits_.factors - count * exact_size();
  const std::size_t before = exact_.size();
  while (exact_bytes_ > most && !exact_.empty() && exact_.back()->used != clock_) {
    Candidate& oldest = *exact_.back();
    exact_bytes_ -= oldest.bytes();
    oldest.factor.reset();
    oldest.full.reset();
    exact_.pop_back();
  }
  // Pieces of some MB stay with the threads that asked for them, where others cannot use them.
  constexpr std::int64_t kWorthReturning = std::int64_t{4} << 20U;
  if (exact_.size() < before && exact_size() > kWorthReturning) malloc_trim(0);
}

}  // namespace land
