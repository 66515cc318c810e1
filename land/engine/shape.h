// How much an engine holds: what is planned with before anything is scored or fetched.
#pragma once

#include <cstdint>

namespace land {

struct Shape {
  std::int64_t features = 0;
  std::int64_t samples = 0;
  std::int64_t bytes_each = 0;    // what a feature takes in a block, about
  std::int64_t mapped_bytes = 0;  // of files mapped by this process, in memory once they are touched; 0: none
};

}  // namespace land
