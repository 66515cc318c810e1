// Tables of genotypes at two bits a call, counted by population counts. SIMD behind this header.
//
// A word of 64 bits holds 32 calls of two bits, or the samples' membership in one level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace land {

// For each class a word per 32 samples, with the lower bit of a call set where the sample belongs to the class.
std::vector<std::uint64_t> packed_class_masks(std::span<const std::uint16_t> labels, std::size_t classes);

// counts[class * stride + code], code = 0 .. 3. `packed` holds (samples + 3) / 4 bytes; what is beyond the last sample
// does not count. `members`: of each class. `complete`: no call is missing, which saves a third.
void count_packed(const std::uint8_t* packed, std::size_t samples, std::span<const std::uint64_t> class_masks,
                  std::span<const std::int64_t> members, bool complete, std::size_t stride, std::uint32_t* counts);

// One look at all calls of a feature.
struct PackedSummary {
  std::int64_t missing = 0;
  int values = 0;  // different ones among those that are not missing
  std::uint32_t checksum = 0;
};
// `everyone`: the mask of one class that has all samples. `multipliers`: of the checksum, one per word.
PackedSummary summarise_packed(const std::uint8_t* packed, std::size_t samples, std::span<const std::uint64_t> everyone,
                               std::span<const std::uint32_t> multipliers);

// A feature of 2 to 4 levels as bit planes, one for each level but the first, one bit a sample. [level - 1][word].
std::vector<std::uint64_t> level_planes(std::span<const std::uint16_t> codes, std::size_t levels);

// counts[x * right_planes + y]: samples in plane x of the one and y of the other feature.
void count_planes(std::span<const std::uint64_t> left, std::size_t left_planes, std::span<const std::uint64_t> right,
                  std::size_t right_planes, std::uint32_t* counts);

}  // namespace land
