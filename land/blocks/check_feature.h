// Whether the values of a feature are what its header says: what kernels rely on, and a file or a message may get
// wrong.
#pragma once

#include "land/blocks/feature_block.h"

namespace land {

// Codes below the number of levels; entries of sparse features at rising samples; nothing infinite; `missing` and
// `constant` as they are; the range of a strip. The header's places have been checked. Neighbours in a strip share one
// look when they are asked for in turn by one object. One pass over the values, in whole vectors.
class FeatureCheck {
 public:
  bool holds(const FeatureView& feature);

 private:
  bool strip_holds(const FeatureView& feature);

  const float* strip_ = nullptr;
  float low_[kStripWidth] = {};
  float high_[kStripWidth] = {};
  bool finite_[kStripWidth] = {};
};

}  // namespace land
