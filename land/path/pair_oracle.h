// All that path/ sees of the data: relevances f_k and redundancies R_ki, the latter in stages of rising cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/feature_id.h"

namespace land {

// In place of i: f_k is what k has in common with the target. At the last stage only.
inline constexpr FeatureId kTarget = -1;

// R_ki is asked for at a stage s = 1 .. stages(). The last stage is R_ki itself; any earlier one is a lower bound of
// it, cheaper the earlier it is. Values depend on (k, i, stage) only: never on the batch, the order or the number of
// threads, and evaluate(k, i) == evaluate(i, k) at every stage.
struct PairRequest {
  FeatureId k = 0;
  FeatureId i = 0;
  int stage = 0;
};

class PairOracle {
 public:
  virtual ~PairOracle() = default;

  virtual int stages() const = 0;

  // Says that these features are about to be asked for, so that they can be fetched together. Never required.
  virtual void prepare(std::span<const FeatureId> features) = 0;

  // Says that these will be asked for in time, most likely in this order. Unlike with prepare() nothing happens now.
  virtual void announce(std::span<const FeatureId> /*features*/) {}

  // out[t] = R (or its lower bound) for requests[t], or f refined in double. R_kk (k == i) is asked for at the last
  // stage only.
  virtual void evaluate(std::span<const PairRequest> requests, std::span<double> out) = 0;

  // Says how many bytes the caller keeps of what it was told. They come out of what the values, sketches and factors of
  // features may take; throws where that leaves too little.
  virtual void set_aside(std::int64_t /*bytes*/) {}

  // out[t] <= f of features[t], close to it and cheaper, for features that are asked for nothing else.
  virtual void spot_relevance(std::span<const FeatureId> features, std::span<double> out) { relevance(features, out); }

  // out[t] = f of features[t].
  void relevance(std::span<const FeatureId> features, std::span<double> out) {
    std::vector<PairRequest> requests;
    for (const FeatureId k : features) requests.push_back({k, kTarget, stages()});
    evaluate(requests, out);
  }
};

}  // namespace land
