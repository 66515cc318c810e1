// A store that `land convert` has written: features used where they lie, and all that came with them.
#pragma once

#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

// The target is the stored one, or the feature that --target names, which then is none of the features.
Table read_store(const Bytes& bytes, const ReadRequest& request);

}  // namespace land
