// A checksum of a feature's values that any block, thread or order of features gives alike.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace land {

// A bijection of 64-bit words that scatters every input bit over all output bits (the finaliser of SplitMix64).
constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// SplitMix64: a well-mixed number for every argument; its successive numbers are those of steps of kMixStep.
inline constexpr std::uint64_t kMixStep = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t mix(std::uint64_t x) { return scatter(x + kMixStep); }

// checksum = sum over samples of word(value) * multiplier(sample), modulo 2^32: odd multipliers notice any single
// change. The word of zero is zero, so what a sparse feature does not store need not be visited.
constexpr std::uint32_t checksum_multiplier(std::int64_t sample) {
  return static_cast<std::uint32_t>(mix(static_cast<std::uint64_t>(sample))) | 1U;
}
inline std::vector<std::uint32_t> checksum_multipliers(std::int64_t samples) {
  std::vector<std::uint32_t> multipliers(static_cast<std::size_t>(samples));
  for (std::int64_t i = 0; i < samples; ++i) multipliers[static_cast<std::size_t>(i)] = checksum_multiplier(i);
  return multipliers;
}
constexpr std::uint32_t checksum_word(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint32_t checksum_word(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint32_t>(bits) + static_cast<std::uint32_t>(bits >> 32U) * 0x9E3779B1U;
}

// Of a whole table, from the checksums of its features in their order.
constexpr std::uint64_t fingerprint_of(std::int64_t samples, std::span<const std::uint32_t> checksums) {
  std::uint64_t fingerprint =
      mix(mix(static_cast<std::uint64_t>(checksums.size())) ^ static_cast<std::uint64_t>(samples));
  for (const std::uint32_t checksum : checksums) fingerprint = mix(fingerprint ^ checksum);
  return fingerprint;
}

}  // namespace land
