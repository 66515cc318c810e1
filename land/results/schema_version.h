// The version of the JSON documents.
#pragma once

namespace land {

// Raised whenever a field changes its meaning or goes away; new fields do not raise it.
inline constexpr int kSchemaVersion = 1;

}  // namespace land
