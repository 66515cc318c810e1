#include "land/copies.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "land/blocks/signature.h"
#include "land/path/certificate.h"

namespace land {

Copies::Copies(std::span<const std::uint64_t> signatures) : copy_(signatures.size(), 0), next_(signatures.size(), -1) {
  // Open addressing over the first feature of every signature.
  const std::size_t slots = std::bit_ceil(signatures.size() + signatures.size() / 3 + 1);
  std::vector<std::int64_t> first(slots, -1);
  constexpr std::size_t kAhead = 16;  // slots are far apart: asked for before they are needed
  for (std::size_t k = 0; k < signatures.size(); ++k) {
    if (k + kAhead < signatures.size()) __builtin_prefetch(&first[signatures[k + kAhead] & (slots - 1)]);
    const std::uint64_t signature = signatures[k];
    std::size_t slot = signature & (slots - 1);
    while (signature != 0 && first[slot] >= 0 && signatures[static_cast<std::size_t>(first[slot])] != signature) {
      slot = (slot + 1) & (slots - 1);
    }
    if (signature == 0 || first[slot] < 0) {
      ++distinct_;
      if (signature != 0) first[slot] = static_cast<std::int64_t>(k);
      continue;
    }
    const auto original = static_cast<std::size_t>(first[slot]);
    copy_[k] = 1;
    next_[k] = next_[original];
    next_[original] = static_cast<std::int64_t>(k);
  }
}

std::vector<FeatureId> Copies::of(FeatureId feature) const {
  std::vector<FeatureId> list;
  for (FeatureId k = next_[static_cast<std::size_t>(feature)]; k >= 0; k = next_[static_cast<std::size_t>(k)]) {
    list.push_back(k);
  }
  std::sort(list.begin(), list.end());
  return list;
}

namespace {

// No feature that was left out as a copy, and that nobody compared, could have been touched.
bool others_stay_below(const Copies& copies, const Path& path, const Scores& scores,
                       std::span<const std::uint8_t> compared, WorkerPool& pool) {
  constexpr std::int64_t kTogether = 65536;
  const double limit = path.knots.back().lambda + CertificateOptions{}.tolerance * path.knots.front().lambda;
  std::atomic<bool> below{true};
  pool.run((scores.size() + kTogether - 1) / kTogether, [&](std::int64_t item, int) {
    const FeatureId first = item * kTogether;
    bool all = true;
    for (FeatureId k = first; k < std::min(scores.size(), first + kTogether); ++k) {
      const auto at = static_cast<std::size_t>(k);
      all = all && (scores.relevance[at] <= limit || compared[at] != 0 || !copies.is_copy(k));
    }
    if (!all) below = false;
  });
  return below;
}

}  // namespace

bool copies_hold(const Copies& copies, const Path& path, const Scores& scores, Engine& engine, WorkerPool& pool) {
  std::vector<std::uint8_t> compared(scores.relevance.size(), 0);
  // So many are in memory at a time.
  constexpr std::int64_t kValues = std::int64_t{8} << 20U;
  constexpr std::int64_t kAtLeast = 64;
  const auto most = static_cast<std::size_t>(std::max(kAtLeast, kValues / engine.samples()));
  std::vector<FeatureId> ids;         // originals and their copies
  std::vector<std::size_t> original;  // of each, its position among them
  const auto hold = [&] {
    const auto blocks = engine.fetch(ids);
    std::atomic<bool> equal{true};
    constexpr std::size_t kTogether = 64;
    pool.run(static_cast<std::int64_t>((ids.size() + kTogether - 1) / kTogether), [&](std::int64_t item, int) {
      const std::size_t first = static_cast<std::size_t>(item) * kTogether;
      for (std::size_t t = first; t < std::min(ids.size(), first + kTogether); ++t) {
        if (original[t] != t && !are_copies(blocks[original[t]]->view(0), blocks[t]->view(0))) equal = false;
      }
    });
    ids.clear();
    original.clear();
    return equal.load();
  };
  for (const TouchedFeature& touched : path.touched) {
    std::size_t at = most;  // of the original, once it is there
    for (const FeatureId copy : copies.of(touched.feature)) {
      if (ids.size() + 1 >= most) {
        if (!hold()) return false;
        at = most;
      }
      if (at == most) {
        at = ids.size();
        ids.push_back(touched.feature);
        original.push_back(at);
      }
      ids.push_back(copy);
      original.push_back(at);
      compared[static_cast<std::size_t>(copy)] = 1;
    }
  }
  return hold() && others_stay_below(copies, path, scores, compared, pool);
}

}  // namespace land
