// Levels as bits: a plane for each level, with a bit for every sample; and the tables that two sets of planes make, by
// counting the bits that both have. SIMD behind this header.
//
// Planes stand word by word of 64 samples, P of them side by side: plane p of word w is at w P + p. P is a power of two
// and all is filled up with zeros to whole cache lines, so that one loop serves any number of planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace land {

// The last level needs no plane: its samples are those in no other.
inline constexpr int kMostPlanes = 8;
inline constexpr std::size_t kPlaneStride = 12;  // from one row of counts to the next
inline constexpr int kMostPlaneLevels = kMostPlanes + 1;

int planes_of(int levels);                                 // P: 1, 2, 4 or 8
std::size_t plane_words(std::size_t samples, int planes);  // of P planes, filled up

// Planes of the first P levels. `levels` may be read up to whole words of 64 samples, where it holds no level.
void make_planes(const std::uint8_t* levels, std::size_t samples, int planes, std::uint64_t* to);

// Back to levels: a sample in no plane is at `last`.
void levels_of_planes(const std::uint64_t* words, std::size_t samples, int planes, std::uint8_t last, std::uint8_t* to);

// counts[r kPlaneStride + p]: samples that are in row r and in plane p. Row r of `rows` has every word of 64 samples P
// times, and is as long as the planes.
void count_planes(const std::uint64_t* words, std::size_t length, int planes, const std::uint64_t* rows,
                  std::size_t row_count, std::uint32_t* counts);

}  // namespace land
