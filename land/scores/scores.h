// What the scoring pass finds out, of all features or of a range of them.
#pragma once

#include <cstdint>
#include <vector>

#include "land/base/aligned.h"
#include "land/base/feature_id.h"
#include "land/kernels/scoring/score.h"

namespace land {

struct Scores {
  FeatureId first = 0;
  // Of each feature, as in Score; norm and error are rounded up.
  AlignedBuffer<double> relevance;
  AlignedBuffer<float> norm;
  AlignedBuffer<float> error;
  AlignedBuffer<std::uint32_t> checksums;
  std::vector<std::uint64_t> signatures;  // empty if the source has none
  std::vector<std::uint32_t> copy_keys;   // see copy_key.h; empty if there are signatures, or if this was read
  std::int64_t missing = 0;               // values
  FeatureId first_missing = -1;           // the first feature that lacks one

  std::int64_t size() const { return static_cast<std::int64_t>(relevance.size()); }
  // All but signatures and keys; new features are unset.
  void resize(std::int64_t features);
  void set(std::size_t position, const Score& score);
  // Puts all that resize() makes room for where the part's features are.
  void place(const Scores& part);
  std::int64_t constant() const;
  // Those of which covariates leave nothing, ascending.
  std::vector<FeatureId> explained() const;
};

}  // namespace land
