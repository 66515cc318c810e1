// How the memory that a selection may take is shared out. It decides what is kept and what is computed again, never
// what comes out.
#pragma once

#include <cstdint>

#include "land/base/context.h"
#include "land/engine/shape.h"

namespace land {

struct MemoryPlan {
  std::int64_t window = 0;      // of a mapped file, in memory at a time while all features are scored; 0: all of it
  std::int64_t likely = 0;      // features kept from the scoring pass, or once fetched, because they may be wanted
  std::int64_t candidates = 0;  // what the solver holds, and the certificate after it
  std::int64_t factors = 0;     // those among it
  std::int64_t aside = 0;       // for what the path keeps of each feature; what exceeds it comes out of `candidates`
  std::int64_t least = 0;       // of `candidates`, with which the work can be done
  std::int64_t products = 0;    // kept by the solver for the certificate
};

// Of `context.memory`, or of most of the machine's if that is 0. What the program takes already is taken into account.
// Throws InputError if too little is left. `selected`: how many features a path is to select; 0: there is none.
MemoryPlan plan_memory(const Shape& shape, std::int64_t selected, const Context& context);

}  // namespace land
