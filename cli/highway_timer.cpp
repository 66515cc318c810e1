// Highway's library measures the timer of its benchmarks, which nobody here uses, every time it is loaded: 4 of the 8
// milliseconds that the program took to start. The program's own definition goes before the library's.
#include <cstdint>

namespace hwy::platform {

std::uint64_t TimerResolution() { return 1; }

}  // namespace hwy::platform
