// A feature that the path looks at, and what was made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "land/blocks/feature_block.h"
#include "land/kernels/sketches/sketch.h"
#include "land/path/pair_oracle.h"

namespace land {

// What f and R of a feature are computed from: its factor, its values in order, or its full kernel matrix.
class ExactForm {
 public:
  virtual ~ExactForm() = default;
  virtual std::int64_t bytes() const = 0;
  // Of a factor; 0 for what leaves nothing out.
  virtual double residual() const { return 0.0; }
  virtual std::int64_t columns() const { return 0; }
};

struct Candidate {
  FeatureId feature = 0;
  std::shared_ptr<const FeatureBlock> block;
  std::optional<Sketch> sketch;
  std::unique_ptr<const ExactForm> exact;
  std::optional<double> relevance;
  bool counted = false;                   // its exact form, among those made
  std::uint64_t used = 0;                 // when its exact form was, last
  std::uint64_t fetched = 0;              // when its values were
  std::uint64_t looked_at = 0;            // when it was seen whether its sketch, or its exact form, is needed
  int columns_wanted = 0;                 // of its sketch, then
  std::list<Candidate*>::iterator place;  // among those that have an exact form, if it is one
};

struct CandidatePair {
  std::size_t request = 0;  // that it answers
  Candidate* k = nullptr;
  Candidate* i = nullptr;
};

}  // namespace land
