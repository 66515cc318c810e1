// The encoded block of features: the one currency between readers, kernels and engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "land/base/aligned.h"
#include "land/blocks/sample_numbers.h"

namespace land {

// How a feature's values are stored. Lossless: the input's own values can be had back from any of them. A missing value
// is NaN: as a value, or as a level.
enum class Encoding : std::uint8_t {
  kFloat32,
  kFloat64,
  kCodes,         // one byte a sample, an index into at most 256 levels
  kPacked2,       // two bits a sample, an index into the four levels of a genotype
  kSparseCodes,   // a code for each sample that is not at level 0
  kSparseValues,  // a float64 for each sample that is not at level 0, the only level there is
};
std::string_view to_string(Encoding encoding);

constexpr bool is_sparse(Encoding encoding) {
  return encoding == Encoding::kSparseCodes || encoding == Encoding::kSparseValues;
}
constexpr bool is_coded(Encoding encoding) {
  return encoding == Encoding::kCodes || encoding == Encoding::kPacked2 || encoding == Encoding::kSparseCodes;
}

// The levels of a genotype by its two bits, as PLINK writes them: copies of the first allele, 01 for a missing call.
std::span<const double> genotype_levels();
constexpr std::int64_t packed_bytes(std::int64_t samples) { return (samples + 3) / 4; }

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
  bool constant = false;            // max == min: no kernel, left out of everything
  bool nominal = false;             // categories without an order, as codes: the class kernel, see nominal_source.h
  std::int32_t stride = 1;          // elements from one sample to the next: 1, or kStripWidth in a strip
  std::int32_t levels = 0;          // codes: how many
  std::int64_t offset = 0;          // of sample 0, in bytes from the start of the payload
  std::int64_t levels_offset = 0;   // of the first level (double), in bytes
  std::int64_t stored = 0;          // sparse: samples that are not at level 0; their numbers, rising, are at `offset`
  std::int64_t entries_offset = 0;  // sparse: of their codes or values, in bytes
  std::int64_t missing = 0;         // samples without a value
  std::uint32_t checksum = 0;       // of the values, position by position: see checksum.h
  std::uint64_t signature = 0;      // alike for features that are copies up to shift, scale and sign; 0: not known
  FeatureStats stats;               // set in strips only
};

// One feature of a block, to be read.
struct FeatureView {
  const FeatureHeader* header = nullptr;
  std::int64_t samples = 0;
  const std::byte* data = nullptr;
  const std::byte* entries = nullptr;  // sparse only
  std::span<const double> levels;

  const float* float32() const { return reinterpret_cast<const float*>(data); }
  const double* float64() const { return reinterpret_cast<const double*>(data); }
  const std::uint8_t* codes() const { return reinterpret_cast<const std::uint8_t*>(data); }
  const std::uint8_t* packed() const { return codes(); }
  // Calls visit(numbers of the stored samples), a span of one type or another: see sample_numbers.h.
  template <class Visit>
  decltype(auto) visit_stored_samples(const Visit& visit) const {
    return visit_sample_numbers(samples, data, header->stored, visit);
  }
  const std::uint8_t* stored_codes() const { return reinterpret_cast<const std::uint8_t*>(entries); }
  const double* stored_values() const { return reinterpret_cast<const double*>(entries); }
  // The input's value of a sample.
  double value(std::int64_t sample) const;
  // The values of all samples.
  void copy_values(std::span<double> to) const;
  // The level of every sample, of a coded feature.
  void copy_codes(std::span<std::uint8_t> to) const;
};

// Of the feature whose places count from `base`; the header stays where it is.
FeatureView view_of(const FeatureHeader& header, std::int64_t samples, const std::byte* base);

// Of what is short and read one by one: the parts of sparse features, and levels.
inline constexpr std::size_t kShortAlignment = 8;

// Headers and one run of bytes in which everything is found by offset, so a block can be copied, stored and sent.
struct FeatureBlock {
  std::int64_t samples = 0;
  std::vector<FeatureHeader> headers;
  AlignedBytes payload;
  const std::byte* elsewhere = nullptr;  // where offsets count from if not from `payload`: bytes the source keeps

  std::int64_t features() const { return static_cast<std::int64_t>(headers.size()); }
  FeatureView view(std::int64_t position) const;
  // A block of one feature with stride 1, cut out of this one.
  FeatureBlock extract(std::int64_t position) const;
  // A block of one feature whose values stay where they stand, elsewhere.
  FeatureBlock refer(std::int64_t position) const;
  // Adds a copy, with stride 1, of a feature that stands elsewhere.
  void append_feature(const FeatureView& from);
  void clear(std::int64_t new_samples) {
    samples = new_samples;
    headers.clear();
    payload.clear();
    elsewhere = nullptr;
  }
  // Room for `bytes` more; returns its offset.
  std::int64_t append(std::int64_t bytes, std::size_t alignment = kCacheLine);
};

// to[t]->append_feature(from[t]) for every t, all of the same samples, no block twice. Features of one strip are copied
// together, some rows at a time, so that the strip passes through the cache once.
void append_features(std::span<const FeatureView> from, std::span<FeatureBlock* const> to);

}  // namespace land
