// Columns over all samples, in double, and the loops that dominate exact factors. SIMD behind this header.
//
// Layout: samples in chunks of 128, within a chunk one column after the other. The last chunk has as many rows as are
// needed, in whole vectors of any target, and is padded with zeros. A chunk of two factors fits the cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "land/base/aligned.h"

namespace land {

inline constexpr std::int64_t kChunk = 128;
constexpr std::int64_t chunks_of(std::int64_t samples) { return (samples + kChunk - 1) / kChunk; }
// With what pads them to whole pairs of vectors.
constexpr std::int64_t padded_samples(std::int64_t samples) { return (samples + 15) / 16 * 16; }

// Columns that are read from the first sample to the last, some chunks in a row at a time.
class Columns {
 public:
  std::int64_t samples = 0;
  std::int64_t columns = 0;

  std::int64_t rows(std::int64_t chunk) const { return std::min(kChunk, padded_samples(samples) - chunk * kChunk); }
  // Chunks [first, first + count) in a row: where they are stored, or made in `room`.
  virtual const double* chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const = 0;
  // Whether chunks() costs nothing, since they are in memory.
  virtual bool stored() const = 0;
  // What they take.
  virtual std::int64_t bytes() const = 0;

 protected:
  Columns() = default;
  Columns(const Columns&) = default;
  Columns(Columns&&) = default;
  Columns& operator=(const Columns&) = default;
  Columns& operator=(Columns&&) = default;
  ~Columns() = default;
};

class DenseColumns final : public Columns {
 public:
  AlignedBuffer<double> values;

  DenseColumns() = default;
  DenseColumns(std::int64_t sample_count, std::int64_t column_count) { reshape(sample_count, column_count); }
  void reshape(std::int64_t sample_count, std::int64_t column_count) {
    samples = sample_count;
    columns = column_count;
    values.resize(static_cast<std::size_t>(padded_samples(sample_count) * column_count));
  }
  const double* chunks(std::int64_t first, std::int64_t /*count*/, AlignedBuffer<double>& /*room*/) const override {
    return chunk(first);
  }
  bool stored() const override { return true; }
  std::int64_t bytes() const override { return static_cast<std::int64_t>(values.capacity() * sizeof(double)); }
  double* chunk(std::int64_t c) { return values.data() + c * columns * kChunk; }
  const double* chunk(std::int64_t c) const { return values.data() + c * columns * kChunk; }
  double* column(std::int64_t c, std::int64_t a) { return chunk(c) + a * rows(c); }
  const double* column(std::int64_t c, std::int64_t a) const { return chunk(c) + a * rows(c); }
  double at(std::int64_t sample, std::int64_t column) const { return values[place(sample, column)]; }
  double& at(std::int64_t sample, std::int64_t column) { return values[place(sample, column)]; }

 private:
  std::size_t place(std::int64_t sample, std::int64_t column) const {
    const std::int64_t c = sample / kChunk;
    return static_cast<std::size_t>(c * columns * kChunk + column * rows(c) + sample % kChunk);
  }
};

// columns.at(i, a) = exp(-(u_i - points_a)^2 / (2 sigma^2)). `u` is readable as far as the columns are padded.
void gaussian_columns(const double* u, std::span<const double> points, double sigma, DenseColumns& columns);

// to.at(i, b) = sum_a from.at(i, a) map[a * to.columns + b], and zero beyond the last sample.
void map_columns(const Columns& from, std::span<const double> map, DenseColumns& to);

// The same from columns as gaussian_columns makes them, none of which is stored. `triangular`: the map is zero for
// a > b, and those terms are not computed.
void map_gaussians(const double* u, std::span<const double> points, double sigma, std::span<const double> map,
                   bool triangular, DenseColumns& to);

// sums[a] = sum over samples of columns.at(i, a).
void column_sums(const Columns& columns, double* sums);

// sums[v * columns + a] = sum over the samples i with codes[i] == v of columns.at(i, a), for v < levels.
inline constexpr std::int64_t kMostLevelsSummed = 4;
void level_sums(const Columns& columns, std::span<const std::uint16_t> codes, std::int64_t levels, double* sums);

}  // namespace land
