#include "land/blocks/copy_strips.h"

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/blocks/copy_strips.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kRows = 64;  // summed in float32 before they go to double
constexpr std::int64_t kGroup = 8;
constexpr std::int64_t kAhead = 8;

using F = hn::CappedTag<float, kStripWidth>;
using U = hn::RebindToUnsigned<F>;

struct Partial {
  alignas(64) float sum[kStripWidth];
  alignas(64) float squares[kStripWidth];
};

// Some rows of one strip.
HWY_INLINE void copy_rows(const float* source, std::int64_t stride, std::int64_t rows, const std::uint32_t* multipliers,
                          float* to, StripSums& sums, Partial& partial) {
  const F f;
  const U u;
  for (std::size_t lane = 0; lane < kStripWidth; lane += hn::Lanes(f)) {
    const auto reference = hn::Load(f, sums.reference + lane);
    auto minimum = hn::Load(f, sums.minimum + lane);
    auto maximum = hn::Load(f, sums.maximum + lane);
    auto checksum = hn::Load(u, sums.checksum + lane);
    auto sum = hn::Zero(f);
    auto squares = hn::Zero(f);
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto x = hn::LoadU(f, source + r * stride + static_cast<std::int64_t>(lane));
      hn::Store(x, f, to + r * kStripWidth + static_cast<std::int64_t>(lane));
      minimum = hn::Min(minimum, x);
      maximum = hn::Max(maximum, x);
      const auto centred = hn::Sub(x, reference);
      sum = hn::Add(sum, centred);
      squares = hn::MulAdd(centred, centred, squares);
      checksum = hn::Add(checksum, hn::Mul(hn::BitCast(u, x), hn::Set(u, multipliers[r])));
    }
    hn::Store(minimum, f, sums.minimum + lane);
    hn::Store(maximum, f, sums.maximum + lane);
    hn::Store(checksum, u, sums.checksum + lane);
    hn::Store(hn::Add(hn::Load(f, partial.sum + lane), sum), f, partial.sum + lane);
    hn::Store(hn::Add(hn::Load(f, partial.squares + lane), squares), f, partial.squares + lane);
  }
}

void CopyStrips(const float* source, std::int64_t sample_stride, std::int64_t samples, std::int64_t features,
                const std::uint32_t* multipliers, float* strips, StripSums* sums) {
  constexpr std::int64_t kMostStrips = 64;  // whose partial sums stand on the stack
  Partial partials[kMostStrips];
  const std::int64_t all_strips = (features + kStripWidth - 1) / kStripWidth;
  for (std::int64_t first_strip = 0; first_strip < all_strips; first_strip += kMostStrips) {
    const std::int64_t strips_here = std::min(kMostStrips, all_strips - first_strip);
    for (std::int64_t block = 0; block < samples; block += kRows) {
      std::memset(partials, 0, sizeof(Partial) * static_cast<std::size_t>(strips_here));
      const std::int64_t block_end = std::min(samples, block + kRows);
      for (std::int64_t row = block; row < block_end; row += kGroup) {
        const std::int64_t rows = std::min(kGroup, block_end - row);
        for (std::int64_t s = 0; s < strips_here; ++s) {
          const std::int64_t strip = first_strip + s;
          const std::int64_t valid = std::min(kStripWidth, features - strip * kStripWidth);
          // Rows are far apart: ask for lines before they are needed, a few at a time.
          const std::int64_t ahead = std::min(samples, row + kAhead + kGroup);
          for (std::int64_t r = row + kAhead; r < ahead; ++r) {
            hwy::Prefetch(source + r * sample_stride + strip * kStripWidth);
          }
          const float* from = source + row * sample_stride + strip * kStripWidth;
          float* to = strips + (strip * samples + row) * kStripWidth;
          if (valid == kStripWidth) {
            copy_rows(from, sample_stride, rows, multipliers + row, to, sums[strip], partials[s]);
          } else {
            float padded[kGroup * kStripWidth] = {};
            for (std::int64_t r = 0; r < rows; ++r)
              std::copy_n(from + r * sample_stride, valid, padded + r * kStripWidth);
            copy_rows(padded, kStripWidth, rows, multipliers + row, to, sums[strip], partials[s]);
          }
        }
      }
      for (std::int64_t s = 0; s < strips_here; ++s) {
        StripSums& total = sums[first_strip + s];
        for (std::int64_t lane = 0; lane < kStripWidth; ++lane) {
          total.sum[lane] += static_cast<double>(partials[s].sum[lane]);
          total.squares[lane] += static_cast<double>(partials[s].squares[lane]);
        }
      }
    }
  }
}

std::uint32_t LanesWithRepeats(const float* strip, std::int64_t rows) {
  const F f;
  std::uint32_t repeats = 0;
  for (std::size_t lane = 0; lane < kStripWidth; lane += hn::Lanes(f)) {
    const auto row = [&](std::int64_t r)
                         HWY_ATTR { return hn::Load(f, strip + r * kStripWidth + static_cast<std::int64_t>(lane)); };
    // Two rows against all before them: neither chain waits for the other.
    auto one = hn::FirstN(f, 0);
    auto two = one;
    for (std::int64_t b = 0; b < rows; b += 2) {
      const auto x = row(b);
      const auto next = row(std::min(b + 1, rows - 1));
      for (std::int64_t a = 0; a < b; ++a) {
        const auto y = row(a);
        one = hn::Or(one, hn::Eq(x, y));
        two = hn::Or(two, hn::Eq(next, y));
      }
      if (b + 1 < rows) one = hn::Or(one, hn::Eq(x, next));
    }
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(f, hn::Or(one, two), bits);
    repeats |= (bits[0] | static_cast<std::uint32_t>(bits[1]) << 8U) << lane;
  }
  return repeats;
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(CopyStrips);
HWY_EXPORT(LanesWithRepeats);
}  // namespace

void copy_strips(const float* source, std::int64_t sample_stride, std::int64_t samples, std::int64_t features,
                 std::span<const std::uint32_t> multipliers, float* strips, std::span<StripSums> sums) {
  for (StripSums& strip : sums) {
    for (std::int64_t lane = 0; lane < kStripWidth; ++lane) {
      strip.minimum[lane] = strip.maximum[lane] = strip.reference[lane];
      strip.sum[lane] = strip.squares[lane] = 0.0;
      strip.checksum[lane] = 0;
    }
  }
  HWY_DYNAMIC_DISPATCH(CopyStrips)(source, sample_stride, samples, features, multipliers.data(), strips, sums.data());
}

std::uint32_t lanes_with_repeats(const float* strip, std::int64_t rows) {
  return HWY_DYNAMIC_DISPATCH(LanesWithRepeats)(strip, rows);
}

}  // namespace land
#endif
