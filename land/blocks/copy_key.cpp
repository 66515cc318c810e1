#include "land/blocks/copy_key.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "land/base/checksum.h"

namespace land {
namespace {

// 1 / odd modulo 2^64, by Newton's iteration: each step doubles the bits that are right, three at first.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int step = 0; step < 5; ++step) x *= 2 - odd * x;
  return x;
}

// sum = w'(x - a) and step = b - a, with a and b two values of a feature and w weights of its samples. An affine map
// multiplies both by its scale, so that their quotient modulo 2^64 stays; a power of two in it cannot be divided by,
// and is the caller's to take out of `sum`, `step` and every x - a.
std::uint64_t quotient(std::uint64_t sum, std::int64_t step) {
  const int twos = std::countr_zero(static_cast<std::uint64_t>(step));
  return sum * inverse(static_cast<std::uint64_t>(step >> twos)) + static_cast<std::uint64_t>(twos);
}

// Of a few samples, if their values are whole numbers and not all the same; else 0.
std::uint64_t of_whole_numbers(const FeatureView& feature) {
  constexpr std::int64_t kRows = 8;
  const std::int64_t stride = feature.header->stride;
  const bool single = feature.header->encoding == Encoding::kFloat32;
  std::array<std::int64_t, kRows> difference{};
  std::int64_t first = 0;
  std::uint64_t bits = 0;
  for (std::int64_t r = 0; r < kRows; ++r) {
    const std::int64_t at = r * feature.samples / kRows * stride;
    const double value = single ? static_cast<double>(feature.float32()[at]) : feature.float64()[at];
    constexpr double kLargest = 0x1p53;
    if (!(std::abs(value) < kLargest)) return 0;
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) != value) return 0;
    if (r == 0) first = whole;
    difference[static_cast<std::size_t>(r)] = whole - first;
    bits |= static_cast<std::uint64_t>(whole - first);
  }
  if (bits == 0) return 0;
  const int twos = std::countr_zero(bits);
  std::uint64_t sum = 0;
  std::int64_t step = 0;
  for (std::size_t r = 0; r < difference.size(); ++r) {
    const std::int64_t left = difference[r] >> twos;
    sum += static_cast<std::uint64_t>(left) * mix(r);
    if (step == 0) step = left;
  }
  return quotient(sum, step);
}

bool evenly_spaced(std::span<const double> levels) {
  for (std::size_t v = 2; v < levels.size(); ++v) {
    if (levels[v] - levels[v - 1] != levels[1] - levels[0]) return false;
  }
  return true;
}

}  // namespace

CopyKeys::CopyKeys(std::int64_t samples) : weights_(checksum_multipliers(samples)) {
  for (const std::uint32_t weight : weights_) total_ += weight;
}

std::uint64_t CopyKeys::of_codes(const FeatureView& feature) const {
  const std::uint8_t* codes = feature.codes();
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) sum += codes[i] * weights_[i];
  // Codes that number the levels as they first appear are those of every copy.
  if (!evenly_spaced(feature.levels)) return mix(sum) + feature.levels.size();
  // Codes that are the values, shifted. 256 times all, so that the powers of two in a difference of codes can go.
  const auto other = std::find_if(codes, codes + feature.samples, [&](std::uint8_t c) { return c != codes[0]; });
  if (other == codes + feature.samples) return 0;
  constexpr int kBits = 8;
  const std::int64_t step = *other - codes[0];
  const int twos = std::countr_zero(static_cast<std::uint64_t>(step));
  const std::uint32_t centred = sum - codes[0] * total_;
  return centred * static_cast<std::uint32_t>(inverse(static_cast<std::uint64_t>(step >> twos))) << (kBits - twos);
}

// Mirrored, the calls of either kind of homozygotes change places.
std::uint64_t CopyKeys::of_genotypes(const FeatureView& feature) const {
  constexpr std::int64_t kCalls = 32;
  constexpr std::uint64_t kLow = 0x5555555555555555U;
  std::uint64_t none = 0;
  std::uint64_t both = 0;
  for (std::int64_t i = 0; i < feature.samples; i += kCalls) {
    const std::int64_t calls = std::min(kCalls, feature.samples - i);
    std::uint64_t word = 0;
    std::memcpy(&word, feature.packed() + i / 4, static_cast<std::size_t>(packed_bytes(calls)));
    const std::uint64_t valid = calls == kCalls ? kLow : kLow & ((std::uint64_t{1} << (2 * calls)) - 1);
    const std::uint64_t weight = mix(static_cast<std::uint64_t>(i));
    none += (~word & ~(word >> 1U) & valid) * weight;
    both += (word & (word >> 1U) & valid) * weight;
  }
  return mix(none) + mix(both);
}

std::uint32_t CopyKeys::key(const FeatureView& feature) const {
  if (feature.header->constant) return 0;
  std::uint64_t key = 0;
  if (feature.header->encoding == Encoding::kCodes) {
    key = of_codes(feature);
  } else if (feature.header->encoding == Encoding::kPacked2) {
    key = of_genotypes(feature);
  } else if (!is_sparse(feature.header->encoding)) {
    key = of_whole_numbers(feature);
  }
  return copy_key_of(key != 0 ? scatter(key) >> 32U : feature.header->checksum);
}

}  // namespace land
