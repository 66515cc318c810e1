#include "land/formats/find_non_digits.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/formats/find_non_digits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kStep = 64;  // characters, one bit each

// Bit i is set when character i is not a digit.
HWY_INLINE std::uint64_t non_digits(const std::uint8_t* text) {
  const hn::CappedTag<std::uint8_t, kStep> u8;
  const hn::RebindToSigned<decltype(u8)> i8;
  alignas(8) std::uint8_t bytes[kStep / 8 + 8];
  for (std::size_t i = 0; i < kStep; i += hn::Lanes(u8)) {
    // Modulo 256 the digits are moved to the ten lowest signed numbers.
    const auto moved = hn::Add(hn::LoadU(u8, text + i), hn::Set(u8, std::uint8_t{256 - 48 - 128}));
    const auto other = hn::Gt(hn::BitCast(i8, moved), hn::Set(i8, std::int8_t{-128 + 9}));
    hn::StoreMaskBits(i8, other, bytes + i / 8);
  }
  std::uint64_t bits = 0;
  hwy::CopyBytes<8>(bytes, &bits);
  return bits;
}

std::size_t FindNonDigits(const char* text, std::size_t size, std::uint32_t* offsets) {
  std::uint32_t* out = offsets;
  std::size_t at = 0;
  for (; HWY_TARGET != HWY_SCALAR && at + kStep <= size; at += kStep) {
    std::uint64_t bits = non_digits(reinterpret_cast<const std::uint8_t*>(text) + at);
    std::uint32_t* const next = out + std::popcount(bits);
    // Always sixteen, seldom more: fewer surprises for the processor than a loop of exact length. What is too much is
    // written over.
    do {
      for (int i = 0; i < 16; ++i) {
        out[i] = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
      out += 16;
    } while (bits != 0);
    out = next;
  }
  for (; at < size; ++at) {
    *out = static_cast<std::uint32_t>(at);
    out += text[at] < '0' || text[at] > '9';
  }
  return static_cast<std::size_t>(out - offsets);
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(FindNonDigits);
}  // namespace

std::size_t find_non_digits(std::string_view text, std::span<std::uint32_t> offsets) {
  return HWY_DYNAMIC_DISPATCH(FindNonDigits)(text.data(), text.size(), offsets.data());
}

}  // namespace land
#endif
