// The encoded block of features: the one currency between readers, kernels and engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "land/blocks/aligned.h"

namespace land {

// How a feature's values are stored. Lossless: the input's own values can be had back from any of them.
enum class Encoding : std::uint8_t {
  kFloat32,
  kFloat64,
  kCodes,  // one byte a sample, an index into at most 256 levels
};
std::string_view to_string(Encoding encoding);

// Features whose values are float32 may stand in strips: 16 neighbours interleaved, a row of the strip being one cache
// line.
inline constexpr std::int64_t kStripWidth = 16;

// Of a float32 feature in a strip: taken while it is copied, for nothing, and all that the scoring pass needs.
struct FeatureStats {
  double minimum = 0.0;
  double maximum = 0.0;
  double deviation = 0.0;        // population standard deviation, about
  double deviation_error = 0.0;  // a bound of its relative error
};

struct FeatureHeader {
  std::int64_t id = 0;
  Encoding encoding = Encoding::kFloat32;
  bool constant = false;           // max == min: no kernel, left out of everything
  std::int32_t stride = 1;         // elements from one sample to the next: 1, or kStripWidth in a strip
  std::int32_t levels = 0;         // codes: how many
  std::int64_t offset = 0;         // of sample 0, in bytes from the start of the payload
  std::int64_t levels_offset = 0;  // of the first level (double), in bytes
  std::uint32_t checksum = 0;      // of the values, position by position: see checksum.h
  FeatureStats stats;              // set in strips only
};

// One feature of a block, to be read.
struct FeatureView {
  const FeatureHeader* header = nullptr;
  std::int64_t samples = 0;
  const std::byte* data = nullptr;
  std::span<const double> levels;

  const float* float32() const { return reinterpret_cast<const float*>(data); }
  const double* float64() const { return reinterpret_cast<const double*>(data); }
  const std::uint8_t* codes() const { return reinterpret_cast<const std::uint8_t*>(data); }
  // The input's value of a sample.
  double value(std::int64_t sample) const;
};

// Headers and one run of bytes in which everything is found by offset, so a block can be copied, stored and sent.
struct FeatureBlock {
  std::int64_t samples = 0;
  std::vector<FeatureHeader> headers;
  AlignedBytes payload;

  std::int64_t features() const { return static_cast<std::int64_t>(headers.size()); }
  FeatureView view(std::int64_t position) const;
  // A block of one feature with stride 1, cut out of this one.
  FeatureBlock extract(std::int64_t position) const;
  void clear(std::int64_t new_samples) {
    samples = new_samples;
    headers.clear();
    payload.clear();
  }
  // Room for `bytes` more, 64-byte aligned; returns its offset.
  std::int64_t append(std::int64_t bytes);
};

}  // namespace land
