// Features that repeat another one up to shift, scale and sign, told by their signatures before the path begins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/worker_pool.h"
#include "land/engine/engine.h"
#include "land/path/path.h"
#include "land/results/result.h"

namespace land {

class Copies {
 public:
  // Signatures of all features, 0 where there is none.
  explicit Copies(std::span<const std::uint64_t> signatures);

  // Features that have no signature count each for itself.
  std::int64_t distinct() const { return distinct_; }
  // Features that repeat an earlier one.
  std::int64_t count() const { return std::ssize(copy_) - distinct_; }
  // Whether an earlier feature has the same values.
  bool is_copy(FeatureId feature) const { return copy_[static_cast<std::size_t>(feature)] != 0; }
  // Whether a feature that is none itself has copies; and which, ascending.
  bool has_copies(FeatureId feature) const { return next_[static_cast<std::size_t>(feature)] >= 0; }
  std::vector<FeatureId> of(FeatureId feature) const;

 private:
  std::int64_t distinct_ = 0;
  std::vector<std::uint8_t> copy_;
  std::vector<std::int64_t> next_;  // a chain from a feature through all its copies, -1 at its end; empty: no copies
};

// Bounds of all features, those of copies being negative.
std::vector<double> without_copies(const Copies& copies, std::span<const double> bounds);

// Signatures of those features whose cheaper keys (copy_key.h, or else their checksums) other features have too; 0 of
// all others, which hardly ever are copies. Reads again what it signs.
std::vector<std::uint64_t> sign_likely_copies(const Scores& scores, Engine& engine);

// Equal signatures are no proof. What a method has touched is compared with its copies, value by value; copies of what
// it has not touched matter no more than that, if their own bounds, in `scores`, are no larger than `least_relevance`.
// Holds some `bytes` of features at a time.
bool copies_hold(const Copies& copies, std::span<const TouchedFeature> touched, double least_relevance,
                 const Scores& scores, Engine& engine, WorkerPool& pool, std::int64_t bytes);

// Counts features that were left out as copies in a certificate that does not know of them: they are bounded, and
// parked if what they repeat is active or parked.
void count_copies(const Copies& copies, std::span<const TouchedFeature> touched,
                  std::span<const SelectedFeature> selected, CertificateSummary& certificate);

}  // namespace land
