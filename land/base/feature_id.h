// The number of a feature among all of a table, from 0.
#pragma once

#include <cstdint>

namespace land {

using FeatureId = std::int64_t;

}  // namespace land
