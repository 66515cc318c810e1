#include "land/kernels/scoring/count_few.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/scoring/count_few.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint8_t, 64>;
using V = hn::Vec<D>;

constexpr std::size_t kVectors = 128;  // counted before the sums, which have 8 bits, go to wider ones
constexpr std::size_t kTogether = 4;   // values counted in one pass

// totals[v] += how many bytes of `vectors` whole vectors are values[v].
void count_values(const std::uint8_t* bytes, std::size_t vectors, const std::uint8_t* values, std::uint32_t* totals) {
  const D d;
  const hn::Repartition<std::uint64_t, D> d64;
  V wanted[kTogether];
  V found[kTogether];
  for (std::size_t v = 0; v < kTogether; ++v) {
    wanted[v] = hn::Set(d, values[v]);
    found[v] = hn::Zero(d);
  }
  // A mask is -1 where it holds.
  const auto look = [&](std::size_t i) {
    const V here = hn::Load(d, bytes + i * hn::Lanes(d));
    for (std::size_t v = 0; v < kTogether; ++v) {
      found[v] = hn::Sub(found[v], hn::VecFromMask(d, hn::Eq(here, wanted[v])));
    }
  };
  std::size_t i = 0;
  for (; i + 2 <= vectors; i += 2) {
    look(i);
    look(i + 1);
  }
  if (i < vectors) look(i);
  HWY_ALIGN std::uint64_t parts[8];
  for (std::size_t v = 0; v < kTogether; ++v) {
    hn::Store(hn::SumsOf8(found[v]), d64, parts);
    for (std::size_t lane = 0; lane < hn::Lanes(d64); ++lane) totals[v] += static_cast<std::uint32_t>(parts[lane]);
  }
}

bool CountFew(const std::uint8_t* codes, const std::uint8_t* labels, std::size_t samples, std::size_t classes,
              std::size_t levels, std::size_t stride, std::uint32_t* counts) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const int shift = std::bit_width(levels - 1);
  // Two instructions for a value and a vector, against about five for a sample in a table.
  if (classes * levels > lanes + lanes / 4) return false;
  constexpr std::size_t kMostValues = 80 + kTogether;
  std::uint8_t values[kMostValues] = {};  // class and level in one byte: below 2 * classes * levels
  std::uint32_t totals[kMostValues] = {};
  std::size_t count = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t v = 0; v < levels; ++v) {
      values[count++] = static_cast<std::uint8_t>(c << static_cast<unsigned>(shift) | v);
    }
  }
  HWY_ALIGN std::uint8_t both[kVectors * 64];
  std::size_t begin = 0;
  for (; begin + lanes <= samples;) {
    const std::size_t vectors = std::min(kVectors, (samples - begin) / lanes);
    for (std::size_t i = 0; i < vectors; ++i) {
      const V label = hn::ShiftLeftSame(hn::LoadU(d, labels + begin + i * lanes), shift);
      hn::Store(hn::Or(label, hn::LoadU(d, codes + begin + i * lanes)), d, both + i * lanes);
    }
    for (std::size_t v = 0; v < count; v += kTogether) count_values(both, vectors, values + v, totals + v);
    begin += vectors * lanes;
  }
  count = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t v = 0; v < levels; ++v) counts[c * stride + v] = totals[count++];
  }
  for (; begin < samples; ++begin) ++counts[labels[begin] * stride + codes[begin]];
  return true;
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(CountFew);
}  // namespace

bool count_few(const std::uint8_t* codes, const std::uint8_t* labels, std::size_t samples, std::size_t classes,
               std::size_t levels, std::size_t stride, std::uint32_t* counts) {
  return HWY_DYNAMIC_DISPATCH(CountFew)(codes, labels, samples, classes, levels, stride, counts);
}

}  // namespace land
#endif
