// Where features are held: score them all, fetch a few. The one seam for every engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/kernels/scorer.h"
#include "land/path/redundancy.h"

namespace land {

struct Scores {
  std::vector<Score> features;
  std::vector<std::uint64_t> signatures;  // of all features; empty if the source has none
  std::int64_t constant = 0;
  std::int64_t missing = 0;       // values
  FeatureId first_missing = -1;   // the first feature that lacks one
  std::uint64_t fingerprint = 0;  // of all values, in the order of the features
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::int64_t features() const = 0;
  virtual std::int64_t samples() const = 0;

  // One pass over all features: a pure map over blocks.
  virtual Scores score(const Scorer& scorer) = 0;

  // Brings features to where the path is solved: one block of one feature for each id.
  virtual std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) = 0;
};

}  // namespace land
