#include "land/methods/additive/smoothers.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

double size_of(const Smoother& smoother, std::span<const double> residual) {
  std::vector<double> a = smoother.coordinates(residual);
  smoother.smooth(a);
  return norm(a) / std::sqrt(static_cast<double>(smoother.samples));
}

}  // namespace

Smoothers::Smoothers(const Setting& setting, std::span<const FeatureId> features, std::int64_t memory)
    : setting_(setting),
      kernels_(setting.options.kernel),
      features_(features),
      left_(memory),
      all_fit_(std::ssize(features) * stored_factor_bytes(setting.engine.samples()) <= memory) {}

// The first pass looks at every feature once; those that are looked at again are likely to be so more often, and are
// held while there is room.
void Smoothers::sizes(std::span<const std::size_t> positions, std::span<const double> residual,
                      std::span<double> sizes) {
  const bool hold = all_fit_ || !first_;
  first_ = false;
  std::vector<std::size_t> known;
  std::vector<std::size_t> unknown;
  std::vector<FeatureId> ids;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const FeatureId id = features_[positions[t]];
    (held_.contains(id) ? known : unknown).push_back(t);
    if (!held_.contains(id)) ids.push_back(id);
  }
  constexpr std::size_t kItem = 64;
  setting_.pool.run(static_cast<std::int64_t>((known.size() + kItem - 1) / kItem), [&](std::int64_t item, int) {
    setting_.context.check_stop();
    const std::size_t first = static_cast<std::size_t>(item) * kItem;
    for (std::size_t s = first; s < std::min(first + kItem, known.size()); ++s) {
      sizes[known[s]] = size_of(held_.find(features_[positions[known[s]]])->second, residual);
    }
  });
  std::mutex mutex;
  setting_.engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
    setting_.context.check_stop();
    Smoother smoother = make_smoother(kernels_.factor(feature, FactorUse::kRelevance));
    sizes[unknown[at]] = size_of(smoother, residual);
    if (!hold) return;
    const std::scoped_lock lock(mutex);
    if (smoother.bytes() > left_) return;
    left_ -= smoother.bytes();
    held_.emplace(ids[at], std::move(smoother));
  });
}

Smoother Smoothers::of(FeatureId feature) {
  if (const auto found = held_.find(feature); found != held_.end()) return found->second;
  return make_smoother(
      kernels_.factor(setting_.engine.fetch(std::span(&feature, 1)).front()->view(0), FactorUse::kRelevance));
}

}  // namespace land
