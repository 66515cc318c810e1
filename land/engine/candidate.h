// A feature that the path looks at, and what was made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "land/blocks/feature_block.h"
#include "land/kernels/factor.h"
#include "land/kernels/full_kernel.h"
#include "land/kernels/sketch.h"
#include "land/path/redundancy.h"

namespace land {

struct Candidate {
  FeatureId feature = 0;
  std::shared_ptr<const FeatureBlock> block;
  std::optional<Sketch> sketch;
  std::unique_ptr<Factor> factor;
  std::unique_ptr<FullKernel> full;
  std::optional<double> relevance;
  bool counted = false;                   // its factor, among those made
  std::uint64_t used = 0;                 // when its factor was, last
  std::uint64_t fetched = 0;              // when its values were
  std::uint64_t looked_at = 0;            // when it was seen whether its sketch, or its factor, is needed
  int columns_wanted = 0;                 // of its sketch, then
  std::list<Candidate*>::iterator place;  // among those that have a factor or full kernel, if it is one

  bool exact() const { return factor != nullptr || full != nullptr; }
  std::int64_t bytes() const {
    std::size_t doubles = 0;
    if (factor) doubles += factor->dense.values.capacity() + factor->levels.size() + factor->codes.size() / 4;
    if (full) doubles += full->values.size();
    return static_cast<std::int64_t>(doubles * sizeof(double));
  }
};

struct CandidatePair {
  std::size_t request = 0;  // that it answers
  Candidate* k = nullptr;
  Candidate* i = nullptr;
};

}  // namespace land
