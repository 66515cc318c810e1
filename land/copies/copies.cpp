#include "land/copies/copies.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <set>
#include <tuple>

#include "land/base/checksum.h"
#include "land/blocks/copy_key.h"
#include "land/blocks/signature.h"

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

namespace {

// Keys seen so far, and whether more than once: open addressing, the highest bit for the second question.
class KeyTable {
 public:
  explicit KeyTable(std::size_t keys) : slots_(std::bit_ceil(keys + keys / 3 + 1), 0) {}

  void add(std::uint32_t key) {
    std::uint32_t& slot = slots_[place(key)];
    slot = slot == 0 ? key : key | kAgain;
  }
  bool repeats(std::uint32_t key) const { return (slots_[place(key)] & kAgain) != 0; }
  void prefetch(std::uint32_t key) const { __builtin_prefetch(&slots_[scatter(key) & (slots_.size() - 1)]); }

 private:
  static constexpr std::uint32_t kAgain = 0x80000000U;

  std::size_t place(std::uint32_t key) const {
    std::size_t slot = scatter(key) & (slots_.size() - 1);
    while (slots_[slot] != 0 && (slots_[slot] & ~kAgain) != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  std::vector<std::uint32_t> slots_;
};

// 0: of a constant feature, which has no bound either.
std::uint32_t key_of_feature(const Scores& scores, std::size_t k) {
  if (scores.relevance[k] < 0.0) return 0;
  return scores.copy_keys.empty() ? copy_key_of(scores.checksums[k]) : scores.copy_keys[k];
}

// Features that share their key, ascending.
std::vector<FeatureId> with_repeated_keys(const Scores& scores) {
  const auto d = static_cast<std::size_t>(scores.size());
  const auto key_of = [&](std::size_t k) { return key_of_feature(scores, k); };
  KeyTable table(d);
  constexpr std::size_t kAhead = 16;  // slots are far apart: asked for before they are needed
  const auto for_each = [&](const auto& act) {
    for (std::size_t k = 0; k < d; ++k) {
      if (k + kAhead < d) table.prefetch(key_of(k + kAhead));
      if (const std::uint32_t key = key_of(k); key != 0) act(k, key);
    }
  };
  for_each([&](std::size_t, std::uint32_t key) { table.add(key); });
  std::vector<FeatureId> ids;
  for_each([&](std::size_t k, std::uint32_t key) {
    if (table.repeats(key)) ids.push_back(static_cast<FeatureId>(k));
  });
  return ids;
}

// Of features that share keys, ascending, those that may be copies of one another by their relevances, which are equal
// if they are. Keys of different features are equal by chance, 100 times among a million: these go.
std::vector<FeatureId> with_equal_relevance(std::vector<FeatureId> ids, const Scores& scores) {
  const auto key_of = [&](FeatureId k) { return key_of_feature(scores, static_cast<std::size_t>(k)); };
  // Between these f is, but for the rounding of what is stored.
  constexpr double kRounding = 1e-6;
  const auto most = [&](FeatureId k) { return scores.relevance[static_cast<std::size_t>(k)] * (1.0 + kRounding); };
  const auto least = [&](FeatureId k) {
    const auto at = static_cast<std::size_t>(k);
    return (scores.relevance[at] - scores.error[at]) * (1.0 - kRounding);
  };
  std::sort(ids.begin(), ids.end(), [&](FeatureId a, FeatureId b) {
    return std::tuple(key_of(a), most(a), a) < std::tuple(key_of(b), most(b), b);
  });
  std::vector<FeatureId> likely;
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first + 1;
    while (last < ids.size() && key_of(ids[last]) == key_of(ids[first])) ++last;
    double least_above = std::numeric_limits<double>::infinity();
    for (std::size_t t = last; t-- > first;) {
      const bool meets_above = least_above <= most(ids[t]);
      const bool meets_below = t > first && most(ids[t - 1]) >= least(ids[t]);
      if (meets_above || meets_below) likely.push_back(ids[t]);
      least_above = std::min(least_above, least(ids[t]));
    }
    first = last;
  }
  std::sort(likely.begin(), likely.end());
  return likely;
}

}  // namespace

std::vector<std::uint64_t> sign_likely_copies(const Scores& scores, Engine& engine) {
  std::vector<std::uint64_t> signatures(static_cast<std::size_t>(scores.size()), 0);
  const std::vector<FeatureId> ids = with_equal_relevance(with_repeated_keys(scores), scores);
  if (ids.empty()) return signatures;
  const Signer signer(engine.samples());
  engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
    signatures[static_cast<std::size_t>(ids[at])] = signer.signature_by_value(feature);
  });
  return signatures;
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
bool others_stay_below(double limit, const Copies& copies, const Scores& scores, std::span<const std::uint8_t> compared,
                       WorkerPool& pool) {
  constexpr std::int64_t kTogether = 65536;
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

bool copies_hold(const Copies& copies, std::span<const TouchedFeature> touched, double least_relevance,
                 const Scores& scores, Engine& engine, WorkerPool& pool, std::int64_t bytes) {
  std::vector<std::uint8_t> compared(scores.relevance.size(), 0);
  const auto most = static_cast<std::size_t>(
      std::max<std::int64_t>(1, bytes / (engine.samples() * static_cast<std::int64_t>(sizeof(double)))));
  struct Comparison {
    FeatureId copy;
    std::size_t original;  // its position
  };
  std::vector<FeatureId> originals;
  std::vector<Comparison> comparisons;
  const auto hold = [&] {
    const auto blocks = engine.fetch(originals);
    std::sort(comparisons.begin(), comparisons.end(),
              [](const Comparison& a, const Comparison& b) { return a.copy < b.copy; });
    std::vector<FeatureId> ids;
    for (const Comparison& one : comparisons) ids.push_back(one.copy);
    std::atomic<bool> equal{true};
    engine.visit(ids, [&](std::size_t at, const FeatureView& copy) {
      if (!are_copies(blocks[comparisons[at].original]->view(0), copy)) equal = false;
    });
    originals.clear();
    comparisons.clear();
    return equal.load();
  };
  for (const TouchedFeature& one : touched) {
    if (!copies.has_copies(one.feature)) continue;
    if (originals.size() == most && !hold()) return false;
    for (const FeatureId copy : copies.of(one.feature)) {
      comparisons.push_back({copy, originals.size()});
      compared[static_cast<std::size_t>(copy)] = 1;
    }
    originals.push_back(one.feature);
  }
  return hold() && others_stay_below(least_relevance, copies, scores, compared, pool);
}

void count_copies(const Copies& copies, std::span<const TouchedFeature> touched,
                  std::span<const SelectedFeature> selected, CertificateSummary& certificate) {
  std::set<FeatureId> active;
  for (const SelectedFeature& feature : selected) active.insert(feature.index);
  certificate.features_bounded += copies.count();
  for (const TouchedFeature& one : touched) {
    if (one.parked || active.contains(one.feature)) {
      certificate.features_parked += std::ssize(copies.of(one.feature));
    }
  }
}

std::vector<double> without_copies(const Copies& copies, std::span<const double> bounds) {
  std::vector<double> others(bounds.begin(), bounds.end());
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (copies.is_copy(static_cast<FeatureId>(k))) others[k] = -1.0;
  }
  return others;
}

}  // namespace land
