// Seconds of wall-clock time.
#pragma once

#include <chrono>
#include <utility>

namespace land {

class Stopwatch {
 public:
  // Since the last lap, or since the beginning.
  double lap() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace land
