// Permutations of the samples, by number: what relevance looks like where there is no dependence. docs/math.md,
// "Permutations".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/data/target.h"

namespace land {

// Number 0 leaves all samples in place. Every other is made from (seed, number) alone: by any thread, in any order, and
// more of them begin with the same. If the target has no more distinct arrangements than were asked for, these are the
// permutations, each once, and `seed` does not matter.
class Permutations {
 public:
  // `strata`: a number for each sample, which then changes places with others of its stratum only; empty: with all.
  Permutations(const Target& target, std::span<const std::int32_t> strata, std::int64_t seed, std::int64_t asked);

  // How many there are, number 0 not counted.
  std::int64_t count() const { return count_; }
  // Whether these are all arrangements of the target that there are.
  bool are_all() const { return !arrangements_.empty() || count_ == 0; }
  // Distinct arrangements of the target, at most 2^53.
  std::int64_t distinct() const { return distinct_; }
  std::int64_t samples() const { return static_cast<std::int64_t>(values_.size()); }

  // order[i]: the sample whose target sample i is given.
  void order(std::int64_t number, std::span<std::int32_t> order) const;

 private:
  void list_arrangements();
  void match(std::span<const std::int32_t> arrangement, std::span<std::int32_t> order) const;

  std::uint64_t key_;
  std::int64_t count_;
  std::int64_t distinct_ = 1;
  std::vector<std::int32_t> values_;                     // of every sample: which distinct value of the target it has
  std::vector<std::vector<std::int32_t>> strata_;        // samples of each, rising
  std::vector<std::vector<std::int32_t>> arrangements_;  // `values_` rearranged, if they are listed
};

}  // namespace land
