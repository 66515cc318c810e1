// Small whole numbers of a text, read from their ends: what comes after the last digit is found for many numbers at
// once, and up to eight digits are turned into a number together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "land/formats/find_non_digits.h"

namespace land {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

// The number whose last digit stands before `end`. `digits` is 1 to 8; eight characters before `end` can be read.
inline std::uint32_t number_before(const char* end, std::size_t digits) {
  // Keeps the values of the digits and clears what stands before them.
  static constexpr std::array<std::uint64_t, 9> kKept = {0,
                                                         0x0FULL << 56,
                                                         0x0F0FULL << 48,
                                                         0x0F0F0FULL << 40,
                                                         0x0F0F0F0FULL << 32,
                                                         0x0F0F0F0F0FULL << 24,
                                                         0x0F0F0F0F0F0FULL << 16,
                                                         0x0F0F0F0F0F0F0FULL << 8,
                                                         0x0F0F0F0F0F0F0F0FULL};
  std::uint64_t x = 0;
  std::memcpy(&x, end - 8, 8);
  x &= kKept[digits];
  x = x * 10 + (x >> 8);  // pairs, in every other byte
  const std::uint64_t high = (x & 0x000000FF000000FF) * 0x000F424000000064;
  const std::uint64_t low = ((x >> 16) & 0x000000FF000000FF) * 0x0000271000000001;
  return static_cast<std::uint32_t>((high + low) >> 32);
}

// The same for 1 to 4 digits, of which four characters can be read.
inline std::uint32_t small_number_before(const char* end, std::size_t digits) {
  static constexpr std::array<std::uint32_t, 5> kKept = {0, 0x0FU << 24, 0x0F0FU << 16, 0x0F0F0FU << 8, 0x0F0F0F0FU};
  std::uint32_t x = 0;
  std::memcpy(&x, end - 4, 4);
  x &= kKept[digits];
  x = x * 10 + (x >> 8);
  return (x & 0xFF) * 100 + (x >> 16 & 0xFF);
}

// The characters of a text that are no digits, found a window at a time.
class NumberEnds {
 public:
  static constexpr std::size_t kWindow = 16384;

  explicit NumberEnds(std::string_view text) : begin_(text.data()), end_(text.data() + text.size()) {
    offsets_.resize(kWindow + 64);
    window_ = window_end_ = text.data();
  }

  // Moves on to `at`, which never goes back: the next non-digits from there, the first of them in front. There are at
  // least `wanted`, which is small, or none are left nearby and false is returned.
  bool seek(const char* at, std::size_t wanted) {
    while (next_ != count_ && window_ + offsets_[next_] < at) ++next_;
    if (count_ - next_ < wanted && window_end_ != end_) fill(at);
    return count_ - next_ >= wanted;
  }

  // Those before `next` are done with.
  void pass(const std::uint32_t* next) { next_ = static_cast<std::size_t>(next - offsets_.data()); }

  const char* window() const { return window_; }
  const std::uint32_t* first() const { return offsets_.data() + next_; }  // offsets from window()
  const std::uint32_t* last() const { return offsets_.data() + count_; }
  // Eight characters before `end` belong to the text.
  bool has_eight_before(const char* end) const { return end - begin_ >= 8; }

 private:
  void fill(const char* at) {
    const auto size = std::min<std::size_t>(kWindow, static_cast<std::size_t>(end_ - at));
    window_ = at;
    window_end_ = at + size;
    count_ = find_non_digits({at, size}, offsets_);
    next_ = 0;
  }

  const char* begin_;
  const char* end_;
  const char* window_;
  const char* window_end_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace land
