// What the library's loops are measured against: the least that anybody could do with the same bytes. SIMD behind this
// header, dispatched like the library's own.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace land::bench {

// The sum of exp(x): one vectorised exp per element and nothing written, so that memory does not flatter the ratio.
float sum_of_exp(std::span<const float> values);

// counts[v] = how often v occurs. Four tables take turns, so that equal neighbours do not wait for each other.
void byte_histogram(std::span<const std::uint8_t> bytes, std::array<std::uint32_t, 256>& counts);

// Fused multiply-adds of doubles in 12 independent chains, `rounds` vectors in each: the machine's peak. Returns how
// many of them, counted by lane, were done. `result` must be 1; it keeps the compiler from leaving anything out.
std::int64_t multiply_adds(std::int64_t rounds, double& result);

}  // namespace land::bench
