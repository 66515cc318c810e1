// A block as it goes to a store.
#pragma once

#include "land/blocks/feature_block.h"

namespace land {

// The same features in as few bytes as they take: strips that no feature is read from are gone, and bytes between
// features are zero.
void pack_block(const FeatureBlock& block, FeatureBlock& packed);

}  // namespace land
