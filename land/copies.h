// Features that repeat another one up to shift, scale and sign, told by their signatures before the path begins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/engine/engine.h"
#include "land/engine/worker_pool.h"
#include "land/path/path.h"

namespace land {

class Copies {
 public:
  // Signatures of all features, 0 where there is none.
  explicit Copies(std::span<const std::uint64_t> signatures);

  // Features that have no signature count each for itself.
  std::int64_t distinct() const { return distinct_; }
  // Whether an earlier feature has the same values.
  bool is_copy(FeatureId feature) const { return copy_[static_cast<std::size_t>(feature)] != 0; }
  // The copies of a feature that is none itself, ascending.
  std::vector<FeatureId> of(FeatureId feature) const;

 private:
  std::int64_t distinct_ = 0;
  std::vector<std::uint8_t> copy_;
  std::vector<std::int64_t> next_;  // a chain from a feature through all its copies, -1 at its end; empty: no copies
};

// Equal signatures are no proof. What the path has touched is compared with its copies, value by value; copies of what
// it has not touched matter no more than that, if their own relevance says so: its bounds are in `scores`.
bool copies_hold(const Copies& copies, const Path& path, const Scores& scores, Engine& engine, WorkerPool& pool);

}  // namespace land
