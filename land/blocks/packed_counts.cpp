#include "land/blocks/packed_counts.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/blocks/packed_counts.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint64_t, 8>;
using V = hn::Vec<D>;

HWY_INLINE std::uint32_t total(V counts) {
  HWY_ALIGN std::uint64_t parts[8];
  hn::Store(counts, D(), parts);
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < hn::Lanes(D()); ++lane) sum += parts[lane];
  return static_cast<std::uint32_t>(sum);
}

// Calls of the class with the lower bit, with the upper bit, with both. Words and mask are padded to whole vectors of 8
// words. Where no call is missing the lower bit comes with the upper only.
template <bool kComplete>
HWY_INLINE void count_masked(const std::uint64_t* words, const std::uint64_t* mask, std::size_t padded,
                             std::uint32_t* sums) {
  const D d;
  V lower = hn::Zero(d);
  V upper = hn::Zero(d);
  V both = hn::Zero(d);
  for (std::size_t w = 0; w < padded; w += hn::Lanes(d)) {
    const V calls = hn::LoadU(d, words + w);
    const V members = hn::LoadU(d, mask + w);
    const V low = hn::And(calls, members);
    const V high = hn::And(hn::ShiftRight<1>(calls), members);
    lower = hn::Add(lower, hn::PopulationCount(low));
    upper = hn::Add(upper, hn::PopulationCount(high));
    if constexpr (!kComplete) both = hn::Add(both, hn::PopulationCount(hn::And(low, high)));
  }
  sums[0] = total(lower);
  sums[1] = total(upper);
  sums[2] = kComplete ? sums[0] : total(both);
}

void CountMasked(const std::uint64_t* words, const std::uint64_t* mask, std::size_t padded, bool complete,
                 std::uint32_t* sums) {
  if (complete) {
    count_masked<true>(words, mask, padded, sums);
  } else {
    count_masked<false>(words, mask, padded, sums);
  }
}

// Missing calls, and whether codes 0, 2 and 3 occur.
void Summarise(const std::uint64_t* words, const std::uint64_t* everyone, std::size_t padded, std::uint32_t& missing,
               bool* occurs) {
  const D d;
  V count = hn::Zero(d);
  V zero = hn::Zero(d);
  V two = hn::Zero(d);
  V three = hn::Zero(d);
  for (std::size_t w = 0; w < padded; w += hn::Lanes(d)) {
    const V calls = hn::LoadU(d, words + w);
    const V members = hn::LoadU(d, everyone + w);
    const V low = hn::And(calls, members);
    const V high = hn::And(hn::ShiftRight<1>(calls), members);
    count = hn::Add(count, hn::PopulationCount(hn::AndNot(high, low)));
    zero = hn::Or(zero, hn::AndNot(hn::Or(low, high), members));
    two = hn::Or(two, hn::AndNot(low, high));
    three = hn::Or(three, hn::And(low, high));
  }
  missing = total(count);
  occurs[0] = !hn::AllTrue(d, hn::Eq(zero, hn::Zero(d)));
  occurs[1] = !hn::AllTrue(d, hn::Eq(two, hn::Zero(d)));
  occurs[2] = !hn::AllTrue(d, hn::Eq(three, hn::Zero(d)));
}

template <int kLeft, int kRight>
void plane_pairs(const std::uint64_t* left, const std::uint64_t* right, std::size_t padded, std::uint32_t* counts) {
  const D d;
  V sums[kLeft][kRight];
  for (auto& row : sums) {
    for (V& sum : row) sum = hn::Zero(d);
  }
  for (std::size_t w = 0; w < padded; w += hn::Lanes(d)) {
    V r[kRight];
    for (int y = 0; y < kRight; ++y) r[y] = hn::LoadU(d, right + static_cast<std::size_t>(y) * padded + w);
    for (int x = 0; x < kLeft; ++x) {
      const V l = hn::LoadU(d, left + static_cast<std::size_t>(x) * padded + w);
      for (int y = 0; y < kRight; ++y) sums[x][y] = hn::Add(sums[x][y], hn::PopulationCount(hn::And(l, r[y])));
    }
  }
  for (int x = 0; x < kLeft; ++x) {
    for (int y = 0; y < kRight; ++y) counts[x * kRight + y] = total(sums[x][y]);
  }
}

using PlanePairs = void (*)(const std::uint64_t*, const std::uint64_t*, std::size_t, std::uint32_t*);
constexpr PlanePairs kPlanePairs[3][3] = {{plane_pairs<1, 1>, plane_pairs<1, 2>, plane_pairs<1, 3>},
                                          {plane_pairs<2, 1>, plane_pairs<2, 2>, plane_pairs<2, 3>},
                                          {plane_pairs<3, 1>, plane_pairs<3, 2>, plane_pairs<3, 3>}};

void CountPlanes(const std::uint64_t* left, std::size_t left_planes, const std::uint64_t* right,
                 std::size_t right_planes, std::size_t padded, std::uint32_t* counts) {
  kPlanePairs[left_planes - 1][right_planes - 1](left, right, padded, counts);
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(CountMasked);
HWY_EXPORT(Summarise);
HWY_EXPORT(CountPlanes);

constexpr std::size_t kVector = 8;  // words
constexpr std::size_t kCallsPerWord = 32;

std::size_t padded_words(std::size_t items, std::size_t per_word) {
  return (items + per_word * kVector - 1) / (per_word * kVector) * kVector;
}

}  // namespace

std::vector<std::uint64_t> packed_class_masks(std::span<const std::uint16_t> labels, std::size_t classes) {
  const std::size_t words = padded_words(labels.size(), kCallsPerWord);
  std::vector<std::uint64_t> masks(classes * words, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    masks[labels[i] * words + i / kCallsPerWord] |= std::uint64_t{1} << (2 * (i % kCallsPerWord));
  }
  return masks;
}

namespace {

// The calls in whole vectors of words, zero beyond the last byte.
const std::vector<std::uint64_t>& padded_calls(const std::uint8_t* packed, std::size_t samples) {
  static thread_local std::vector<std::uint64_t> words;
  words.resize(padded_words(samples, kCallsPerWord));
  std::fill(words.end() - kVector, words.end(), 0);
  std::memcpy(words.data(), packed, (samples + 3) / 4);
  return words;
}

}  // namespace

void count_packed(const std::uint8_t* packed, std::size_t samples, std::span<const std::uint64_t> class_masks,
                  std::span<const std::int64_t> members, bool complete, std::size_t stride, std::uint32_t* counts) {
  const std::vector<std::uint64_t>& words = padded_calls(packed, samples);
  for (std::size_t c = 0; c < members.size(); ++c) {
    std::uint32_t sums[3];
    HWY_DYNAMIC_DISPATCH(CountMasked)
    (words.data(), class_masks.data() + c * words.size(), words.size(), complete, sums);
    std::uint32_t* of_class = counts + c * stride;
    of_class[3] = sums[2];
    of_class[2] = sums[1] - sums[2];
    of_class[1] = sums[0] - sums[2];
    of_class[0] = static_cast<std::uint32_t>(members[c]) - sums[0] - sums[1] + sums[2];
  }
}

PackedSummary summarise_packed(const std::uint8_t* packed, std::size_t samples, std::span<const std::uint64_t> everyone,
                               std::span<const std::uint32_t> multipliers) {
  const std::vector<std::uint64_t>& words = padded_calls(packed, samples);
  std::uint32_t missing = 0;
  bool occurs[3];
  HWY_DYNAMIC_DISPATCH(Summarise)(words.data(), everyone.data(), words.size(), missing, occurs);
  PackedSummary summary;
  summary.missing = missing;
  summary.values = static_cast<int>(occurs[0]) + static_cast<int>(occurs[1]) + static_cast<int>(occurs[2]);
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < multipliers.size(); ++w) {
    const std::uint64_t used = words[w] & (everyone[w] | everyone[w] << 1U);
    sum += (used ^ used >> 29U) * multipliers[w];
  }
  summary.checksum = static_cast<std::uint32_t>(sum ^ sum >> 32U);
  return summary;
}

std::vector<std::uint64_t> level_planes(std::span<const std::uint16_t> codes, std::size_t levels) {
  const std::size_t padded = padded_words(codes.size(), 64);
  std::vector<std::uint64_t> planes((levels - 1) * padded, 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] > 0) planes[(codes[i] - 1U) * padded + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return planes;
}

void count_planes(std::span<const std::uint64_t> left, std::size_t left_planes, std::span<const std::uint64_t> right,
                  std::size_t right_planes, std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(CountPlanes)
  (left.data(), left_planes, right.data(), right_planes, left.size() / left_planes, counts);
}

}  // namespace land
#endif
