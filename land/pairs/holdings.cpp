#include "land/pairs/holdings.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <utility>

#include "land/base/option.h"

namespace land {

Holdings::Holdings(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                   const KernelOptions& options, const MemoryPlan& limits, ExactForms forms)
    : engine_(engine),
      pool_(pool),
      context_(context),
      scores_(scores),
      kernels_(options),
      plan_(limits),
      limits_(limits),
      forms_(std::move(forms)) {}

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
    throw InputError(fmt::format("{}: too little, since {} features of {} matter so far; give {} to be sure",
                                 option("memory", MemorySize{context_.memory}), candidates_.size(), engine_.features(),
                                 amount({context_.memory + static_cast<std::int64_t>(2.0 * more) + kMegabyte})));
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

// --- Exact forms and sketches ----------------------------------------------------------------------------------------

std::size_t Holdings::exact_together() const { return fitting(limits_.factors, forms_.bytes_each); }

void Holdings::drop_exact() {
  ++clock_;
  make_room_for_exact(limits_.factors / forms_.bytes_each + 1);
}

void Holdings::make(std::span<Candidate* const> exact, std::span<Candidate* const> sketched) {
  context_.check_stop();
  std::vector<Candidate*> missing;
  ++clock_;
  for (Candidate* one : exact) {
    if (one->exact) {
      exact_.splice(exact_.begin(), exact_, one->place);
    } else if (one->used != clock_) {
      missing.push_back(one);
    }
    one->used = clock_;
  }
  // The longest first: whoever is done with an exact form takes sketches.
  constexpr double kExactCost = 200.0;
  constexpr double kSketchCost = 10.0;
  const auto forms = std::ssize(missing);
  const std::int64_t all = forms + std::ssize(sketched);
  if (all == 0) return;
  const double cost = kExactCost * static_cast<double>(forms) + kSketchCost * static_cast<double>(sketched.size());
  make_room_for_exact(forms);
  run(all, cost * static_cast<double>(samples()) / static_cast<double>(all), [&](std::int64_t item, int) {
    if (item < forms) {
      Candidate& one = *missing[static_cast<std::size_t>(item)];
      one.exact = forms_.make(one.block->view(0), kernels_);
    } else {
      make_sketch_of(*sketched[static_cast<std::size_t>(item - forms)]);
    }
  });
  for (Candidate* one : missing) {
    exact_bytes_ += one->exact->bytes();
    one->place = exact_.insert(exact_.begin(), one);
    if (std::exchange(one->counted, true)) continue;
    largest_residual_ = std::max(largest_residual_, one->exact->residual());
    columns_made_ += static_cast<double>(one->exact->columns());
    forms_made_ += 1.0;
  }
  make_room_for_exact(0);
}

void Holdings::make_sketch_of(Candidate& one) const {
  const auto norm = static_cast<double>(scores_.norm[static_cast<std::size_t>(one.feature)]);
  const double scale = kernel_scale(kernels_.options().measure, norm, static_cast<double>(samples()));
  one.sketch = kernels_.sketch(one.block->view(0), scale, one.columns_wanted);
}

void Holdings::make_room_for_exact(std::int64_t count) {
  const std::int64_t most = limits_.factors - count * forms_.bytes_each;
  const std::size_t before = exact_.size();
  while (exact_bytes_ > most && !exact_.empty() && exact_.back()->used != clock_) {
    Candidate& oldest = *exact_.back();
    exact_bytes_ -= oldest.exact->bytes();
    oldest.exact.reset();
    exact_.pop_back();
  }
  // Pieces of some MB stay with the threads that asked for them, where others cannot use them.
  constexpr std::int64_t kWorthReturning = std::int64_t{4} << 20U;
  if (exact_.size() < before && forms_.bytes_each > kWorthReturning) malloc_trim(0);
}

}  // namespace land
