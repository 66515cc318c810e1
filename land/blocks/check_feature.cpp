#include "land/blocks/check_feature.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace land {
namespace {

// Of values in lanes, 16 side by side: independent, so that the compiler can take several at once.
template <class T>
struct Lanes {
  T low[kStripWidth];
  T high[kStripWidth];
  std::uint32_t missing[kStripWidth];

  Lanes() {
    std::fill(std::begin(low), std::end(low), std::numeric_limits<T>::infinity());
    std::fill(std::begin(high), std::end(high), -std::numeric_limits<T>::infinity());
    std::fill(std::begin(missing), std::end(missing), 0U);
  }
  void look(const T* values, std::int64_t lanes = kStripWidth) {
    for (std::int64_t l = 0; l < lanes; ++l) {
      const T value = values[l];
      low[l] = value < low[l] ? value : low[l];
      high[l] = value > high[l] ? value : high[l];
      missing[l] += std::isnan(value) ? 1U : 0U;
    }
  }
};

// A range of observed values, empty if low > high.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::int64_t missing = 0;
  bool constant() const { return !(low < high); }
  bool finite() const { return low > high || (std::isfinite(low) && std::isfinite(high)); }
};

template <class T>
Range range_of(const T* values, std::int64_t count) {
  Lanes<T> lanes;
  std::int64_t i = 0;
  for (; i + kStripWidth <= count; i += kStripWidth) lanes.look(values + i);
  lanes.look(values + i, count - i);
  Range range;
  for (std::int64_t l = 0; l < kStripWidth; ++l) {
    range.low = std::min(range.low, static_cast<double>(lanes.low[l]));
    range.high = std::max(range.high, static_cast<double>(lanes.high[l]));
    range.missing += lanes.missing[l];
  }
  return range;
}

bool floats_hold(const FeatureHeader& header, const Range& range) {
  return range.finite() && range.missing == header.missing && range.constant() == header.constant;
}

// Which codes of `levels` levels occur: the lowest and the highest of those that are not missing, and how often one is.
struct CodeRange {
  bool valid = false;
  std::uint8_t low = 255;
  std::uint8_t high = 0;
  std::int64_t missing = 0;
};

CodeRange codes_of(std::span<const std::uint8_t> codes, std::span<const double> levels) {
  CodeRange range;
  for (const std::uint8_t code : codes) {
    range.low = std::min(range.low, code);
    range.high = std::max(range.high, code);
  }
  if (codes.empty() || range.high >= levels.size()) {
    range.valid = codes.empty();
    return range;
  }
  int missing_levels = 0;
  std::uint8_t skipped = 0;
  range.valid = true;
  for (std::size_t v = 0; v < levels.size(); ++v) {
    if (std::isfinite(levels[v])) continue;
    skipped = static_cast<std::uint8_t>(v);
    range.valid = range.valid && std::isnan(levels[v]) && ++missing_levels == 1;
  }
  if (missing_levels == 0 || !range.valid) return range;
  range.low = 255;
  range.high = 0;
  for (const std::uint8_t code : codes) {
    const bool missing = code == skipped;
    range.low = std::min(range.low, missing ? std::uint8_t{255} : code);
    range.high = std::max(range.high, missing ? std::uint8_t{0} : code);
    range.missing += missing ? 1 : 0;
  }
  return range;
}

bool codes_hold(const FeatureView& feature) {
  const CodeRange range = codes_of({feature.codes(), static_cast<std::size_t>(feature.samples)}, feature.levels);
  if (!range.valid || range.missing != feature.header->missing) return false;
  const bool observed = range.missing < feature.samples;
  // Two codes that occur must be two values.
  if (observed && range.low != range.high && feature.levels[range.low] == feature.levels[range.high]) return false;
  return feature.header->constant == (!observed || range.low == range.high);
}

bool packed_holds(const FeatureView& feature) {
  std::int64_t counts[4] = {};
  const std::uint8_t* packed = feature.packed();
  std::int64_t i = 0;
  constexpr std::int64_t kTogether = 32;
  for (; i + kTogether <= feature.samples; i += kTogether) {
    std::uint64_t word = 0;
    std::memcpy(&word, packed + i / 4, sizeof(word));
    const std::uint64_t lower = word & 0x5555555555555555U;
    const std::uint64_t upper = word >> 1U & 0x5555555555555555U;
    counts[3] += std::popcount(lower & upper);
    counts[2] += std::popcount(upper & ~lower);
    counts[1] += std::popcount(lower & ~upper);
  }
  counts[0] = i - counts[1] - counts[2] - counts[3];
  for (; i < feature.samples; ++i) ++counts[packed[i / 4] >> (2 * (i % 4)) & 3U];
  const int values = (counts[0] > 0 ? 1 : 0) + (counts[2] > 0 ? 1 : 0) + (counts[3] > 0 ? 1 : 0);
  return counts[1] == feature.header->missing && feature.header->constant == (values <= 1);
}

// Strictly, and of samples that there are.
template <class Number>
bool are_rising(std::span<const Number> numbers, std::int64_t samples) {
  if (!numbers.empty() && (numbers.front() < 0 || numbers.back() >= samples)) return false;
  int falls = 0;
  for (std::size_t e = 1; e < numbers.size(); ++e) falls |= static_cast<int>(numbers[e - 1] >= numbers[e]);
  return falls == 0;
}

bool sparse_holds(const FeatureView& feature) {
  const FeatureHeader& header = *feature.header;
  if (!std::isfinite(feature.levels[0])) return false;
  if (!feature.visit_stored_samples([&](auto rows) { return are_rising(rows, feature.samples); })) return false;
  const bool all_stored = header.stored == feature.samples;
  if (header.encoding == Encoding::kSparseValues) {
    Range range = range_of(feature.stored_values(), header.stored);
    if (!range.finite() || range.missing != header.missing) return false;
    if (!all_stored) {
      range.low = std::min(range.low, feature.levels[0]);
      range.high = std::max(range.high, feature.levels[0]);
    }
    return header.constant == range.constant();
  }
  const std::span<const std::uint8_t> codes{feature.stored_codes(), static_cast<std::size_t>(header.stored)};
  const CodeRange range = codes_of(codes, feature.levels);
  if (!range.valid || range.missing != header.missing) return false;
  const bool observed = range.missing < header.stored;
  // Level 0 is never stored, under its own code or another.
  if (observed && (feature.levels[range.low] == feature.levels[0] || feature.levels[range.high] == feature.levels[0] ||
                   (range.low != range.high && feature.levels[range.low] == feature.levels[range.high]))) {
    return false;
  }
  return header.constant == (!observed || (all_stored && range.low == range.high));
}

}  // namespace

bool FeatureCheck::strip_holds(const FeatureView& feature) {
  const FeatureHeader& header = *feature.header;
  const auto address = reinterpret_cast<std::uintptr_t>(feature.float32());
  const auto lane = static_cast<std::int64_t>(address / sizeof(float) % kStripWidth);
  const float* strip = feature.float32() - lane;
  if (strip != strip_) {
    Lanes<float> lanes;
    for (std::int64_t i = 0; i < feature.samples; ++i) lanes.look(strip + i * kStripWidth);
    for (std::int64_t l = 0; l < kStripWidth; ++l) {
      low_[l] = lanes.low[l];
      high_[l] = lanes.high[l];
      finite_[l] = lanes.missing[l] == 0 && std::isfinite(low_[l]) && std::isfinite(high_[l]);
    }
    strip_ = strip;
  }
  if (!finite_[lane] || header.missing != 0 || header.constant != (low_[lane] == high_[lane])) return false;
  return header.constant || (static_cast<double>(low_[lane]) == header.stats.minimum &&
                             static_cast<double>(high_[lane]) == header.stats.maximum);
}

bool FeatureCheck::holds(const FeatureView& feature) {
  switch (feature.header->encoding) {
    case Encoding::kFloat32:
      if (feature.header->stride == kStripWidth) return strip_holds(feature);
      return floats_hold(*feature.header, range_of(feature.float32(), feature.samples));
    case Encoding::kFloat64:
      return floats_hold(*feature.header, range_of(feature.float64(), feature.samples));
    case Encoding::kCodes:
      return codes_hold(feature);
    case Encoding::kPacked2:
      return packed_holds(feature);
    case Encoding::kSparseCodes:
    case Encoding::kSparseValues:
      return sparse_holds(feature);
  }
  return false;
}

}  // namespace land
