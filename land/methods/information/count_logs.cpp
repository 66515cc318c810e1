#include "land/methods/information/count_logs.h"

#include <algorithm>
#include <cmath>

namespace land {

CountLogs::CountLogs(std::int64_t samples, std::int64_t terms) : all_(static_cast<std::size_t>(samples) + 1) {
  const auto n = static_cast<double>(samples);
  // No information of a feature exceeds ln of its 256 levels.
  constexpr double kMostNats = 5.6;
  constexpr int kBits = 61;
  const double most = n * std::max(2.0 * std::log(n), kMostNats * static_cast<double>(terms));
  const int shift = kBits - std::ilogb(most);
  unit_ = std::ldexp(1.0 / n, -shift);
  // First ln c, by the smallest prime that divides c.
  for (std::size_t p = 2; p < all_.size(); ++p) {
    if (all_[p] != 0) continue;
    const auto log = static_cast<std::int64_t>(std::llround(std::ldexp(std::log(static_cast<double>(p)), shift)));
    for (std::size_t power = p; power < all_.size(); power *= p) {
      for (std::size_t c = power; c < all_.size(); c += power) all_[c] += log;
    }
  }
  for (std::size_t c = 0; c < all_.size(); ++c) all_[c] *= static_cast<std::int64_t>(c);
}

}  // namespace land
