// What the program takes of the machine's memory.
#pragma once

#include <cstdint>

namespace land {

// Bytes in memory at this moment; 0 where the system does not tell.
struct ResidentMemory {
  std::int64_t all = 0;    // pages of mapped files included
  std::int64_t files = 0;  // those
};
ResidentMemory resident_memory();

// Bytes that this process could have at most: the machine's memory, or less where the system (ulimit -v, a container)
// sets a limit.
std::int64_t available_memory();

}  // namespace land
