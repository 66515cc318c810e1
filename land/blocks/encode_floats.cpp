#include "land/blocks/encode_floats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "land/base/checksum.h"
#include "land/blocks/encode_column.h"

namespace land {
namespace {

// Samples looked at to tell a few-valued feature from a continuous one before counting its levels.
constexpr std::int64_t kProbe = 32;

// The population deviation of a strided column in double, by two passes; scaled so that nothing over- or underflows.
double exact_deviation(const float* values, std::int64_t stride, std::int64_t samples) {
  double mean = 0.0;
  for (std::int64_t i = 0; i < samples; ++i) mean += static_cast<double>(values[i * stride]);
  mean /= static_cast<double>(samples);
  double squares = 0.0;
  for (std::int64_t i = 0; i < samples; ++i) {
    const double centred = static_cast<double>(values[i * stride]) - mean;
    squares += centred * centred;
  }
  return std::sqrt(squares / static_cast<double>(samples));
}

// float32 squares and sums of squares keep their relative accuracy only well inside the range of the type.
constexpr double kSmallestVariance = 1e-24;
constexpr double kLargestVariance = 1e+30;

FeatureStats stats_of(const StripSums& sums, std::int64_t lane, const float* values, std::int64_t samples) {
  FeatureStats stats;
  stats.minimum = static_cast<double>(sums.minimum[lane]);
  stats.maximum = static_cast<double>(sums.maximum[lane]);
  const double n = static_cast<double>(samples);
  const double mean = sums.sum[lane] / n;
  const double squares = sums.squares[lane] / n;
  const double variance = squares - mean * mean;
  if (variance > kSmallestVariance && squares < kLargestVariance) {
    stats.deviation = std::sqrt(variance);
    // |d sd| / sd = |d variance| / (2 variance), to first order; the other half is room for the higher ones.
    stats.deviation_error = kVarianceRoundings * std::ldexp(1.0, -24) * squares / variance;
  }
  constexpr double kWorth = 2e-5;  // above it the second look in double pays
  if (!(stats.deviation > 0.0) || !(stats.deviation_error < kWorth)) {
    stats.deviation = exact_deviation(values, kStripWidth, samples);
    stats.deviation_error = 1e-12;
  }
  return stats;
}

}  // namespace

void StripRun::put(const float* source, std::int64_t stride, std::int64_t count,
                   std::span<const std::uint32_t> multipliers, FeatureBlock& block) {
  const std::int64_t n = block.samples;
  const std::int64_t strips = (count + kStripWidth - 1) / kStripWidth;
  offset_ = block.append(strips * n * kStripWidth * static_cast<std::int64_t>(sizeof(float)));
  looked_at_ = -1;
  sums_.resize(static_cast<std::size_t>(strips));
  for (std::int64_t s = 0; s < strips; ++s) {
    StripSums& strip = sums_[static_cast<std::size_t>(s)];
    const std::int64_t valid = std::min(kStripWidth, count - s * kStripWidth);
    std::fill(std::begin(strip.reference), std::end(strip.reference), 0.0F);
    // A value of the feature itself, so that minimum and maximum may start from it; the median of three, so that it is
    // rarely far out.
    for (std::int64_t lane = 0; lane < valid; ++lane) {
      const float a = source[s * kStripWidth + lane];
      const float b = source[(n / 2) * stride + s * kStripWidth + lane];
      const float c = source[(n - 1) * stride + s * kStripWidth + lane];
      strip.reference[lane] = std::max(std::min(a, b), std::min(std::max(a, b), c));
    }
  }
  copy_strips(source, stride, n, count, multipliers, reinterpret_cast<float*>(block.payload.data() + offset_), sums_);
}

bool StripRun::append(std::int64_t k, std::int64_t id, FeatureBlock& block) {
  const std::int64_t s = k / kStripWidth;
  const std::int64_t lane = k % kStripWidth;
  const StripSums& strip = sums_[static_cast<std::size_t>(s)];
  if (!std::isfinite(strip.sum[lane])) return false;
  const std::int64_t first = offset_ + s * block.samples * kStripWidth * static_cast<std::int64_t>(sizeof(float));
  const auto values = [&](std::int64_t at) {  // the block may move while codes are appended
    return reinterpret_cast<const float*>(block.payload.data() + first) + at;
  };
  if (looked_at_ != s) {
    repeats_ = lanes_with_repeats(values(0), std::min(block.samples, kProbe));
    looked_at_ = s;
  }
  const bool few_valued = (repeats_ >> static_cast<std::uint32_t>(lane) & 1U) != 0;
  if (!few_valued || !encode_codes(values(lane), kStripWidth, id, block)) {
    FeatureHeader& header = block.headers.emplace_back();
    header.id = id;
    header.stride = kStripWidth;
    header.offset = first + lane * static_cast<std::int64_t>(sizeof(float));
    header.constant = strip.minimum[lane] == strip.maximum[lane];
    if (!header.constant) header.stats = stats_of(strip, lane, values(lane), block.samples);
  }
  block.headers.back().checksum = strip.checksum[lane];
  return true;
}

namespace {

// Whether strips have sums of these values, which are finite.
bool add_up(std::span<const float> values, std::span<const std::uint32_t> multipliers) {
  constexpr float kLarge = std::numeric_limits<float>::max() / 256;  // 64 differences can be added up below it
  if (std::none_of(values.begin(), values.end(), [](float x) { return std::abs(x) > kLarge; })) return true;
  FeatureBlock block;
  block.clear(std::ssize(values));
  StripRun run;
  run.put(values.data(), 1, 1, multipliers, block);
  return run.append(0, 0, block);
}

}  // namespace

bool encode_floats(std::span<const float> values, std::span<const std::uint32_t> multipliers, std::int64_t id,
                   FeatureBlock& block) {
  if (std::any_of(values.begin(), values.end(), [](float x) { return !std::isfinite(x); })) return false;
  if (!add_up(values, multipliers)) return false;
  bool few_valued = false;
  const auto begin = values.begin();
  for (std::int64_t b = 1; b < std::min(block.samples, kProbe) && !few_valued; ++b) {
    few_valued = std::find(begin, begin + b, begin[b]) != begin + b;
  }
  if (!few_valued || !encode_codes(values.data(), 1, id, block)) {
    FeatureHeader header;
    header.id = id;
    header.offset = block.append(static_cast<std::int64_t>(values.size_bytes()));
    std::memcpy(block.payload.data() + header.offset, values.data(), values.size_bytes());
    const auto [low, high] = std::minmax_element(begin, values.end());
    header.constant = *low == *high;
    block.headers.push_back(header);
  }
  std::uint32_t checksum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) checksum += checksum_word(values[i]) * multipliers[i];
  block.headers.back().checksum = checksum;
  return true;
}

}  // namespace land
