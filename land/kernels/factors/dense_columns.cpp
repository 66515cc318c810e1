#include "land/kernels/factors/dense_columns.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/factors/dense_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

std::size_t rows_of(const Columns& columns, std::int64_t chunk) {
  return static_cast<std::size_t>(columns.rows(chunk));
}

// A chunk of columns exp(-(u - points_a)^2 / (2 sigma^2)).
HWY_INLINE void gaussian_chunk(const double* u, const double* points, std::int64_t count, double sigma,
                               std::size_t rows, double* chunk) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V factor = hn::Set(d, -0.5 / (sigma * sigma));
  const V lowest = hn::Set(d, -700.0);  // exp of it is 1e-304: as good as zero, and not subnormal
  for (std::int64_t a = 0; a < count; ++a) {
    const V point = hn::Set(d, points[a]);
    for (std::size_t i = 0; i < rows; i += lanes) {
      const V difference = hn::Sub(hn::LoadU(d, u + i), point);
      const V exponent = hn::Max(hn::Mul(hn::Mul(difference, difference), factor), lowest);
      hn::Store(hn::Exp(d, exponent), d, chunk + static_cast<std::size_t>(a) * rows + i);
    }
  }
}

void GaussianColumns(const double* u, const double* points, double sigma, DenseColumns& columns) {
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    gaussian_chunk(u + c * kChunk, points, columns.columns, sigma, rows_of(columns, c), columns.chunk(c));
  }
}

// Some columns of the result for a chunk, two vectors of samples at a time, so that enough sums are under way.
template <int kColumns>
HWY_INLINE void map_some(const double* from, std::int64_t from_columns, const double* map, std::int64_t to_columns,
                         std::size_t rows, double* to) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < rows; i += 2 * lanes) {
    V first[kColumns];
    V second[kColumns];
    for (int b = 0; b < kColumns; ++b) first[b] = second[b] = hn::Zero(d);
    for (std::int64_t a = 0; a < from_columns; ++a) {
      const V x = hn::Load(d, from + static_cast<std::size_t>(a) * rows + i);
      const V y = hn::Load(d, from + static_cast<std::size_t>(a) * rows + i + lanes);
      const double* row = map + a * to_columns;
      for (int b = 0; b < kColumns; ++b) {
        const V factor = hn::Set(d, row[b]);
        first[b] = hn::MulAdd(x, factor, first[b]);
        second[b] = hn::MulAdd(y, factor, second[b]);
      }
    }
    for (int b = 0; b < kColumns; ++b) {
      hn::Store(first[b], d, to + static_cast<std::size_t>(b) * rows + i);
      hn::Store(second[b], d, to + static_cast<std::size_t>(b) * rows + i + lanes);
    }
  }
}

// One chunk of MapColumns.
HWY_INLINE void map_chunk(const double* from, std::int64_t from_columns, const double* map, bool triangular,
                          std::int64_t chunk, DenseColumns& to) {
  const std::int64_t width = to.columns;
  const auto used = [&](std::int64_t last) { return triangular ? std::min(from_columns, last + 1) : from_columns; };
  const std::size_t rows = rows_of(to, chunk);
  std::int64_t b = 0;
  for (; b + 4 <= width; b += 4) map_some<4>(from, used(b + 3), map + b, width, rows, to.column(chunk, b));
  for (; b < width; ++b) map_some<1>(from, used(b), map + b, width, rows, to.column(chunk, b));
  const std::int64_t valid = std::min(kChunk, to.samples - chunk * kChunk);
  for (b = 0; b < width; ++b) std::fill(to.column(chunk, b) + valid, to.column(chunk, b + 1), 0.0);
}

void MapColumns(const Columns& from, const double* map, DenseColumns& to) {
  AlignedBuffer<double> room;
  for (std::int64_t c = 0; c < chunks_of(from.samples); ++c) {
    map_chunk(from.chunks(c, 1, room), from.columns, map, false, c, to);
  }
}

void MapGaussians(const double* u, const double* points, std::int64_t count, double sigma, const double* map,
                  bool triangular, DenseColumns& to) {
  static thread_local AlignedBuffer<double> gaussians;  // a chunk of them, which stays in the cache
  gaussians.resize(static_cast<std::size_t>(count * kChunk));
  for (std::int64_t c = 0; c < chunks_of(to.samples); ++c) {
    gaussian_chunk(u + c * kChunk, points, count, sigma, rows_of(to, c), gaussians.data());
    map_chunk(gaussians.data(), count, map, triangular, c, to);
  }
}

template <int kLevels>
void sum_levels(const Columns& columns, const std::uint16_t* codes, double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double marks[kLevels * kChunk];  // 1 where a sample is at the level
  AlignedBuffer<double> room;
  std::fill(sums, sums + kLevels * columns.columns, 0.0);
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    std::fill(std::begin(marks), std::end(marks), 0.0);
    const std::int64_t valid = std::min(kChunk, columns.samples - c * kChunk);
    for (std::int64_t i = 0; i < valid; ++i) marks[codes[c * kChunk + i] * kChunk + i] = 1.0;
    const auto mark = [&](int v, std::size_t i)
                          HWY_ATTR { return hn::Load(d, marks + static_cast<std::size_t>(v * kChunk) + i); };
    const double* chunk = columns.chunks(c, 1, room);
    const std::size_t rows = rows_of(columns, c);
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      const double* column = chunk + static_cast<std::size_t>(a) * rows;
      V one[kLevels];
      V two[kLevels];
      for (int v = 0; v < kLevels; ++v) one[v] = two[v] = hn::Zero(d);
      for (std::size_t i = 0; i < rows; i += 2 * lanes) {
        const V x = hn::Load(d, column + i);
        const V y = hn::Load(d, column + i + lanes);
        for (int v = 0; v < kLevels; ++v) {
          one[v] = hn::MulAdd(x, mark(v, i), one[v]);
          two[v] = hn::MulAdd(y, mark(v, i + lanes), two[v]);
        }
      }
      for (int v = 0; v < kLevels; ++v) {
        HWY_ALIGN double parts[8];
        hn::Store(hn::Add(one[v], two[v]), d, parts);
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[v * columns.columns + a] += parts[lane];
      }
    }
  }
}

void LevelSums(const Columns& columns, const std::uint16_t* codes, std::int64_t levels, double* sums) {
  static_assert(kMostLevelsSummed == 4);
  if (levels == 1) sum_levels<1>(columns, codes, sums);
  if (levels == 2) sum_levels<2>(columns, codes, sums);
  if (levels == 3) sum_levels<3>(columns, codes, sums);
  if (levels == 4) sum_levels<4>(columns, codes, sums);
}

void ColumnSums(const Columns& columns, double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::fill(sums, sums + columns.columns, 0.0);
  AlignedBuffer<double> room;
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    const double* chunk = columns.chunks(c, 1, room);
    const std::size_t rows = rows_of(columns, c);
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      const double* column = chunk + static_cast<std::size_t>(a) * rows;
      V sum = hn::Zero(d);
      for (std::size_t i = 0; i < rows; i += lanes) sum = hn::Add(sum, hn::Load(d, column + i));
      HWY_ALIGN double parts[8];
      hn::Store(sum, d, parts);
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[a] += parts[lane];
    }
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(GaussianColumns);
HWY_EXPORT(MapColumns);
HWY_EXPORT(MapGaussians);
HWY_EXPORT(ColumnSums);
HWY_EXPORT(LevelSums);
}  // namespace

void gaussian_columns(const double* u, std::span<const double> points, double sigma, DenseColumns& columns) {
  HWY_DYNAMIC_DISPATCH(GaussianColumns)(u, points.data(), sigma, columns);
}

void map_columns(const Columns& from, std::span<const double> map, DenseColumns& to) {
  HWY_DYNAMIC_DISPATCH(MapColumns)(from, map.data(), to);
}

void map_gaussians(const double* u, std::span<const double> points, double sigma, std::span<const double> map,
                   bool triangular, DenseColumns& to) {
  HWY_DYNAMIC_DISPATCH(MapGaussians)(u, points.data(), std::ssize(points), sigma, map.data(), triangular, to);
}

void column_sums(const Columns& columns, double* sums) { HWY_DYNAMIC_DISPATCH(ColumnSums)(columns, sums); }

void level_sums(const Columns& columns, std::span<const std::uint16_t> codes, std::int64_t levels, double* sums) {
  HWY_DYNAMIC_DISPATCH(LevelSums)(columns, codes.data(), levels, sums);
}

}  // namespace land
#endif
