// Pages for memory that is about to be written.
#pragma once

#include <cstddef>

namespace land {

// Has the system provide them at once, which costs less than a fault for each; a hint, never an error.
void populate(void* data, std::size_t bytes);

}  // namespace land
