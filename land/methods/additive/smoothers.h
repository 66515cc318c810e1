// The smoothers of all features: held where memory allows, else made again.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "land/base/feature_id.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/additive/smoother.h"
#include "land/methods/method.h"

namespace land {

class Smoothers {
 public:
  // `memory`: bytes that may be held.
  Smoothers(const Setting& setting, std::span<const FeatureId> features, std::int64_t memory);

  // sizes[t] = ||S R|| / sqrt(n) of features[positions[t]].
  void sizes(std::span<const std::size_t> positions, std::span<const double> residual, std::span<double> sizes);

  Smoother of(FeatureId feature);

 private:
  const Setting& setting_;
  Kernels kernels_;
  std::span<const FeatureId> features_;
  std::int64_t left_;  // of the memory
  bool all_fit_;
  bool first_ = true;
  std::unordered_map<FeatureId, Smoother> held_;
};

}  // namespace land
