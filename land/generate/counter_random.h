// Random numbers by place instead of by turn: a number is a function of (key, counter), so that any part of a table can
// be made at any time, by any thread, in any block, and is the same.
#pragma once

#include <cstdint>
#include <span>

#include "land/base/checksum.h"

namespace land {

// A stream of its own for every (seed, stream).
constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t stream) {
  return scatter(mix(seed) ^ (stream * 0xD1342543DE82EF95U));
}

// Number `counter` of a stream: SplitMix64 at a random place.
constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t counter) { return mix(key + counter * kMixStep); }

// In (0, 1), on a grid of 2^-53.
constexpr double random_uniform(std::uint64_t key, std::uint64_t counter) {
  return (static_cast<double>(random_bits(key, counter) >> 12) + 0.5) * 0x1p-52;
}

// N(0, 1), by the ziggurat of Marsaglia and Tsang with 256 layers and 52-bit abscissae.
double random_normal(std::uint64_t key, std::uint64_t counter);

// Numbers first, first + 1, ... of a stream, rounded to float32.
void random_normals(std::uint64_t key, std::uint64_t first, std::span<float> out);

}  // namespace land
