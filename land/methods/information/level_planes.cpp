#include "land/methods/information/level_planes.h"

#include <algorithm>
#include <bit>

#include "land/base/aligned.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/methods/information/level_planes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void MakePlanes(const std::uint8_t* levels, std::size_t samples, int planes, std::uint64_t* to) {
  const auto together = static_cast<std::size_t>(planes);
  std::fill(to, to + (samples + 63) / 64 * together, 0);
  for (std::size_t i = 0; i < samples; ++i) {
    if (levels[i] < together) to[i / 64 * together + levels[i]] |= std::uint64_t{1} << (i % 64);
  }
}

void CountPlanes(const std::uint64_t* words, std::size_t length, int planes, const std::uint64_t* rows,
                 std::size_t row_count, std::uint32_t* counts) {
  const auto together = static_cast<std::size_t>(planes);
  for (std::size_t r = 0; r < row_count; ++r) {
    std::uint32_t* const to = counts + r * kPlaneStride;
    std::fill(to, to + planes, 0);
    for (std::size_t i = 0; i < length; ++i) {
      to[i % together] += static_cast<std::uint32_t>(std::popcount(words[i] & rows[r * length + i]));
    }
  }
}

#else

using D = hn::CappedTag<std::uint8_t, 64>;

void MakePlanes(const std::uint8_t* levels, std::size_t samples, int planes, std::uint64_t* to) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t words = (samples + 63) / 64;
  for (std::size_t w = 0; w < words; ++w) {
    for (int p = 0; p < planes; ++p) {
      const auto level = hn::Set(d, static_cast<std::uint8_t>(p));
      HWY_ALIGN std::uint8_t bits[16] = {};
      for (std::size_t i = 0; i < 64; i += lanes) {
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, levels + w * 64 + i), level), bits + i / 8);
      }
      std::uint64_t word = 0;
      for (unsigned b = 0; b < 8; ++b) word |= static_cast<std::uint64_t>(bits[b]) << (8 * b);
      *to++ = word;
    }
  }
}

void CountPlanes(const std::uint64_t* words, std::size_t length, int planes, const std::uint64_t* rows,
                 std::size_t row_count, std::uint32_t* counts) {
  const D d;
  const hn::Repartition<std::uint64_t, D> d64;
  const std::size_t lanes = hn::Lanes(d64);
  const auto together = static_cast<std::size_t>(planes);
  // Where planes are more than lanes, vectors that hold the same planes are this far apart.
  const std::size_t step = std::max(together, lanes);
  constexpr std::size_t kVectors = 31;  // whose bits are added up in bytes
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::uint64_t* const row = rows + r * length;
    std::uint32_t* const to = counts + r * kPlaneStride;
    for (std::size_t offset = 0; offset < step; offset += lanes) {
      auto total = hn::Zero(d64);
      for (std::size_t begin = offset; begin < length; begin += kVectors * step) {
        const std::size_t end = std::min(length, begin + kVectors * step);
        auto bits = hn::Zero(d);
        for (std::size_t i = begin; i < end; i += step) {
          const auto both = hn::And(hn::Load(d64, words + i), hn::Load(d64, row + i));
          bits = hn::Add(bits, hn::PopulationCount(hn::BitCast(d, both)));
        }
        total = hn::Add(total, hn::SumsOf8(bits));
      }
      HWY_ALIGN std::uint64_t parts[8];
      hn::Store(total, d64, parts);
      if (together >= lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) to[offset + lane] = static_cast<std::uint32_t>(parts[lane]);
      } else {
        for (std::size_t p = 0; p < together; ++p) {
          std::uint64_t sum = 0;
          for (std::size_t lane = p; lane < lanes; lane += together) sum += parts[lane];
          to[p] = static_cast<std::uint32_t>(sum);
        }
      }
    }
  }
}

#endif

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(MakePlanes);
HWY_EXPORT(CountPlanes);
}  // namespace

int planes_of(int levels) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(levels - 1, 1)))); }

std::size_t plane_words(std::size_t samples, int planes) {
  constexpr std::size_t kLine = kCacheLine / sizeof(std::uint64_t);
  return ((samples + 63) / 64 * static_cast<std::size_t>(planes) + kLine - 1) / kLine * kLine;
}

void make_planes(const std::uint8_t* levels, std::size_t samples, int planes, std::uint64_t* to) {
  HWY_DYNAMIC_DISPATCH(MakePlanes)(levels, samples, planes, to);
  const std::size_t used = (samples + 63) / 64 * static_cast<std::size_t>(planes);
  std::fill(to + used, to + plane_words(samples, planes), 0);
}

void levels_of_planes(const std::uint64_t* words, std::size_t samples, int planes, std::uint8_t last,
                      std::uint8_t* to) {
  std::fill(to, to + samples, last);
  const auto together = static_cast<std::size_t>(planes);
  for (std::size_t i = 0; i < (samples + 63) / 64 * together; ++i) {
    const auto level = static_cast<std::uint8_t>(i % together);
    for (std::uint64_t word = words[i]; word != 0; word &= word - 1) {
      to[i / together * 64 + static_cast<std::size_t>(std::countr_zero(word))] = level;
    }
  }
}

void count_planes(const std::uint64_t* words, std::size_t length, int planes, const std::uint64_t* rows,
                  std::size_t row_count, std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(CountPlanes)(words, length, planes, rows, row_count, counts);
}

}  // namespace land
#endif
