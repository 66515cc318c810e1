// What a quadratic programme of features is made from: how alike features are to the target, F, and to each other, Q.
// One implementation per measure; nothing else of qpfs/ knows which it is.
#pragma once

#include <cstdint>
#include <span>

#include "land/base/feature_id.h"

namespace land {

class Similarity {
 public:
  virtual ~Similarity() = default;

  // out[t] = F of features[t], not negative.
  virtual void relevance(std::span<const FeatureId> features, std::span<double> out) = 0;

  // out[a * columns.size() + b] = Q of rows[a] and columns[b], not negative. Q is symmetric to the bit. Cheapest where
  // the same features come again soon.
  virtual void block(std::span<const FeatureId> rows, std::span<const FeatureId> columns, std::span<double> out) = 0;

  // out[t] = Q of features[t] with itself.
  virtual void diagonal(std::span<const FeatureId> features, std::span<double> out) = 0;
};

}  // namespace land
