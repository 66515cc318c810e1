#include "land/blocks/feature_source.h"

namespace land {

const Paging& FeatureSource::paging() const {
  static const Paging in_memory;
  return in_memory;
}

void FeatureSource::gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  gather(ids, block);
  for (const std::int64_t id : ids) paging().release(id, 1);
}

}  // namespace land
