// What the program takes of the machine's memory.
#pragma once

#include <cstdint>

namespace land {

// Bytes in memory at this moment, pages of mapped files included; 0 where the system does not tell.
std::int64_t resident_memory();

}  // namespace land
