// exp(-x) of distances x of any size, in windows: numbers within one are far from over- and underflow, and from one
// window to the next is a factor of exp(-kWindow).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace land {

inline constexpr double kWindow = 64.0;

// exp(-kWindow w) for w = 0, 1, ...; beyond it is zero in double.
inline constexpr std::array<double, 12> kShrunk = [] {
  constexpr double kOne = 1.603810890548638e-28;
  std::array<double, 12> powers{1.0};
  for (std::size_t w = 1; w < powers.size(); ++w) powers[w] = powers[w - 1] * kOne;
  return powers;
}();

constexpr double shrunk(std::int32_t windows) {
  return windows < static_cast<std::int32_t>(kShrunk.size()) ? kShrunk[static_cast<std::size_t>(windows)] : 0.0;
}

}  // namespace land
