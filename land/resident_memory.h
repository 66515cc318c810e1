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

}  // namespace land
