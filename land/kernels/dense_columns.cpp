#include "land/kernels/dense_columns.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/dense_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

// The samples of a chunk, in whole pairs of vectors of any target: the loops leave out what is beyond.
HWY_INLINE std::size_t rows_in_use(const DenseColumns& columns, std::int64_t chunk) {
  constexpr std::int64_t kPair = 16;
  const std::int64_t valid = std::min(kChunk, columns.samples - chunk * kChunk);
  return static_cast<std::size_t>((valid + kPair - 1) / kPair * kPair);
}

void GaussianColumns(const double* u, const double* points, double sigma, DenseColumns& columns) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V factor = hn::Set(d, -0.5 / (sigma * sigma));
  const V lowest = hn::Set(d, -700.0);  // exp of it is 1e-304: as good as zero, and not subnormal
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    double* chunk = columns.chunk(c);
    const std::size_t rows = rows_in_use(columns, c);
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      const V point = hn::Set(d, points[a]);
      for (std::size_t i = 0; i < rows; i += lanes) {
        const V difference = hn::Sub(hn::LoadU(d, u + static_cast<std::size_t>(c * kChunk) + i), point);
        const V exponent = hn::Max(hn::Mul(hn::Mul(difference, difference), factor), lowest);
        hn::Store(hn::Exp(d, exponent), d, chunk + static_cast<std::size_t>(a * kChunk) + i);
      }
    }
  }
}

// Some columns of the result for a chunk, two vectors of samples at a time, so that enough sums are under way.
template <int kColumns>
HWY_INLINE void map_some(const double* from, std::int64_t from_columns, const double* map, std::int64_t to_columns,
                         const double* offset, std::size_t rows, double* to) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < rows; i += 2 * lanes) {
    V first[kColumns];
    V second[kColumns];
    for (int b = 0; b < kColumns; ++b) first[b] = second[b] = hn::Set(d, -offset[b]);
    for (std::int64_t a = 0; a < from_columns; ++a) {
      const V x = hn::Load(d, from + static_cast<std::size_t>(a * kChunk) + i);
      const V y = hn::Load(d, from + static_cast<std::size_t>(a * kChunk) + i + lanes);
      const double* row = map + a * to_columns;
      for (int b = 0; b < kColumns; ++b) {
        const V factor = hn::Set(d, row[b]);
        first[b] = hn::MulAdd(x, factor, first[b]);
        second[b] = hn::MulAdd(y, factor, second[b]);
      }
    }
    for (int b = 0; b < kColumns; ++b) {
      hn::Store(first[b], d, to + static_cast<std::size_t>(b * kChunk) + i);
      hn::Store(second[b], d, to + static_cast<std::size_t>(b * kChunk) + i + lanes);
    }
  }
}

void MapColumns(const DenseColumns& from, const double* map, const double* offset, bool triangular, DenseColumns& to) {
  const std::int64_t width = to.columns;
  const auto used = [&](std::int64_t last) { return triangular ? std::min(from.columns, last + 1) : from.columns; };
  for (std::int64_t c = 0; c < chunks_of(from.samples); ++c) {
    const double* source = from.chunk(c);
    double* target = to.chunk(c);
    const std::size_t rows = rows_in_use(from, c);
    std::int64_t b = 0;
    for (; b + 4 <= width; b += 4) {
      map_some<4>(source, used(b + 3), map + b, width, offset + b, rows, target + b * kChunk);
    }
    for (; b < width; ++b) map_some<1>(source, used(b), map + b, width, offset + b, rows, target + b * kChunk);
    const std::int64_t valid = std::min(kChunk, from.samples - c * kChunk);
    if (valid < kChunk) {
      for (b = 0; b < width; ++b) std::fill(target + b * kChunk + valid, target + (b + 1) * kChunk, 0.0);
    }
  }
}

// sums[x][y] += products of kLeft columns of one chunk with kRight of another; a lane of a vector keeps its own sum.
template <int kLeft, int kRight>
void tile(const double* left, const double* right, std::size_t rows, double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V s[kLeft][kRight];
  for (int x = 0; x < kLeft; ++x) {
    for (int y = 0; y < kRight; ++y) s[x][y] = hn::Load(d, sums + static_cast<std::size_t>(x * kRight + y) * lanes);
  }
  for (std::size_t i = 0; i < rows; i += lanes) {
    V r[kRight];
    for (int y = 0; y < kRight; ++y) r[y] = hn::Load(d, right + static_cast<std::size_t>(y * kChunk) + i);
    for (int x = 0; x < kLeft; ++x) {
      const V l = hn::Load(d, left + static_cast<std::size_t>(x * kChunk) + i);
      for (int y = 0; y < kRight; ++y) s[x][y] = hn::MulAdd(l, r[y], s[x][y]);
    }
  }
  for (int x = 0; x < kLeft; ++x) {
    for (int y = 0; y < kRight; ++y) hn::Store(s[x][y], d, sums + static_cast<std::size_t>(x * kRight + y) * lanes);
  }
}

using Tile = void (*)(const double*, const double*, std::size_t, double*);
constexpr int kTileLeft = 4;
constexpr int kTileRight = 3;
constexpr Tile kTiles[kTileLeft][kTileRight] = {{tile<1, 1>, tile<1, 2>, tile<1, 3>},
                                                {tile<2, 1>, tile<2, 2>, tile<2, 3>},
                                                {tile<3, 1>, tile<3, 2>, tile<3, 3>},
                                                {tile<4, 1>, tile<4, 2>, tile<4, 3>}};

// Asks for values that come next, a few cache lines at a time, while the present ones are worked on.
class Ahead {
 public:
  Ahead() = default;
  // `count` values from `at` on, spread over so many calls of fetch().
  Ahead(const double* at, std::int64_t count, std::int64_t calls)
      : at_(at), lines_(count / kLine), each_((lines_ + calls - 1) / std::max<std::int64_t>(calls, 1)) {}
  HWY_INLINE void fetch() {
    for (std::int64_t l = 0; l < each_ && lines_ > 0; ++l, --lines_, at_ += kLine) hwy::Prefetch(at_);
  }

 private:
  static constexpr std::int64_t kLine = 8;  // doubles
  const double* at_ = nullptr;
  std::int64_t lines_ = 0;
  std::int64_t each_ = 0;
};

std::int64_t tiles_of(std::int64_t left_columns, std::int64_t right_columns) {
  return ((left_columns + kTileLeft - 1) / kTileLeft) * ((right_columns + kTileRight - 1) / kTileRight);
}

// All products of one chunk with another, the columns cut into tiles as even as can be.
HWY_INLINE void chunk_products(const double* left, std::int64_t left_columns, const double* right,
                               std::int64_t right_columns, std::size_t rows, double* sums, Ahead& ahead) {
  const std::size_t lanes = hn::Lanes(D());
  const std::int64_t left_parts = (left_columns + kTileLeft - 1) / kTileLeft;
  const std::int64_t right_parts = (right_columns + kTileRight - 1) / kTileRight;
  for (std::int64_t p = 0; p < left_parts; ++p) {
    const std::int64_t x = left_columns * p / left_parts;
    const std::int64_t width = left_columns * (p + 1) / left_parts - x;
    for (std::int64_t q = 0; q < right_parts; ++q) {
      const std::int64_t y = right_columns * q / right_parts;
      const std::int64_t height = right_columns * (q + 1) / right_parts - y;
      ahead.fetch();
      kTiles[width - 1][height - 1](left + x * kChunk, right + y * kChunk, rows, sums);
      sums += static_cast<std::size_t>(width * height) * lanes;
    }
  }
}

HWY_INLINE double lane_sum(const double* sums) {
  double total = 0.0;
  for (std::size_t lane = 0; lane < hn::Lanes(D()); ++lane) total += sums[lane];
  return total;
}

// Adds up the lanes and undoes the order of the tiles: products[x * right_columns + y].
HWY_INLINE void gather_products(const double* sums, std::int64_t left_columns, std::int64_t right_columns,
                                double* products) {
  const std::int64_t left_parts = (left_columns + kTileLeft - 1) / kTileLeft;
  const std::int64_t right_parts = (right_columns + kTileRight - 1) / kTileRight;
  for (std::int64_t p = 0; p < left_parts; ++p) {
    for (std::int64_t q = 0; q < right_parts; ++q) {
      for (std::int64_t x = left_columns * p / left_parts; x < left_columns * (p + 1) / left_parts; ++x) {
        for (std::int64_t y = right_columns * q / right_parts; y < right_columns * (q + 1) / right_parts; ++y) {
          products[x * right_columns + y] = lane_sum(sums);
          sums += hn::Lanes(D());
        }
      }
    }
  }
}

void ColumnProducts(const DenseColumns& left, const DenseColumns& right, double* products) {
  static thread_local AlignedBuffer<double> sums;
  sums.assign(static_cast<std::size_t>(left.columns * right.columns) * hn::Lanes(D()), 0.0);
  for (std::int64_t c = 0; c < chunks_of(left.samples); ++c) {
    Ahead nothing;
    chunk_products(left.chunk(c), left.columns, right.chunk(c), right.columns, rows_in_use(left, c), sums.data(),
                   nothing);
  }
  gather_products(sums.data(), left.columns, right.columns, products);
}

void ColumnSums(const DenseColumns& columns, double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::fill(sums, sums + columns.columns, 0.0);
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      const double* column = columns.chunk(c) + a * kChunk;
      V sum = hn::Zero(d);
      for (std::size_t i = 0; i < rows_in_use(columns, c); i += lanes) sum = hn::Add(sum, hn::Load(d, column + i));
      HWY_ALIGN double parts[8];
      hn::Store(sum, d, parts);
      sums[a] += lane_sum(parts);
    }
  }
}

void PairProducts(const DenseColumns* const* lefts, std::size_t left_count, const DenseColumns* const* rights,
                  std::size_t right_count, const std::uint8_t* wanted,
                  const std::function<void(std::size_t, std::span<const double>)>& each) {
  // So many chunks of the lefts stay in the second-level cache while all rights pass by.
  constexpr std::int64_t kBlock = 4;
  const std::size_t lanes = hn::Lanes(D());
  static thread_local AlignedBuffer<double> sums;
  static thread_local std::vector<std::size_t> starts;
  starts.assign(1, 0);
  for (std::size_t pair = 0; pair < left_count * right_count; ++pair) {
    const std::int64_t entries =
        wanted[pair] != 0 ? lefts[pair / right_count]->columns * rights[pair % right_count]->columns : 0;
    starts.push_back(starts.back() + static_cast<std::size_t>(entries) * lanes);
  }
  sums.assign(starts.back(), 0.0);
  const std::int64_t chunks = chunks_of(lefts[0]->samples);
  const bool beyond_cache = chunks > 2 * kBlock;  // what fits the cache needs no asking
  for (std::int64_t block = 0; block < chunks; block += kBlock) {
    const std::int64_t end = std::min(chunks, block + kBlock);
    for (std::size_t r = 0; r < right_count; ++r) {
      const DenseColumns& right = *rights[r];
      Ahead ahead;
      if (beyond_cache && r + 1 < right_count) {
        std::int64_t tiles = 0;
        for (std::size_t l = 0; l < left_count; ++l) {
          if (wanted[l * right_count + r] != 0) tiles += (end - block) * tiles_of(lefts[l]->columns, right.columns);
        }
        const DenseColumns& next = *rights[r + 1];
        ahead = Ahead(next.chunk(block), (end - block) * next.columns * kChunk, tiles);
      }
      for (std::size_t l = 0; l < left_count; ++l) {
        const std::size_t pair = l * right_count + r;
        if (wanted[pair] == 0) continue;
        for (std::int64_t c = block; c < end; ++c) {
          chunk_products(lefts[l]->chunk(c), lefts[l]->columns, right.chunk(c), right.columns, rows_in_use(right, c),
                         sums.data() + starts[pair], ahead);
        }
      }
    }
  }
  static thread_local AlignedBuffer<double> products;
  for (std::size_t l = 0; l < left_count; ++l) {
    for (std::size_t r = 0; r < right_count; ++r) {
      const std::size_t pair = l * right_count + r;
      if (wanted[pair] == 0) continue;
      products.resize(static_cast<std::size_t>(lefts[l]->columns * rights[r]->columns));
      gather_products(sums.data() + starts[pair], lefts[l]->columns, rights[r]->columns, products.data());
      each(pair, {products.data(), products.size()});
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
HWY_EXPORT(ColumnProducts);
HWY_EXPORT(ColumnSums);
HWY_EXPORT(PairProducts);
}  // namespace

void gaussian_columns(const double* u, std::span<const double> points, double sigma, DenseColumns& columns) {
  HWY_DYNAMIC_DISPATCH(GaussianColumns)(u, points.data(), sigma, columns);
}

double sum_of_squares(std::span<const double> products, std::int64_t rows, std::int64_t columns) {
  const auto square = [&](std::int64_t x, std::int64_t y) {
    if (x >= rows || y >= columns) return 0.0;
    const double product = products[static_cast<std::size_t>(x * columns + y)];
    return product * product;
  };
  double total = 0.0;
  for (std::int64_t x = 0; x < std::max(rows, columns); ++x) {
    total += square(x, x);
    for (std::int64_t y = 0; y < x; ++y) total += square(x, y) + square(y, x);
  }
  return total;
}

void map_columns(const DenseColumns& from, std::span<const double> map, std::span<const double> offset, bool triangular,
                 DenseColumns& to) {
  HWY_DYNAMIC_DISPATCH(MapColumns)(from, map.data(), offset.data(), triangular, to);
}

void column_products(const DenseColumns& left, const DenseColumns& right, double* products) {
  HWY_DYNAMIC_DISPATCH(ColumnProducts)(left, right, products);
}

void column_sums(const DenseColumns& columns, double* sums) { HWY_DYNAMIC_DISPATCH(ColumnSums)(columns, sums); }

void pair_products(std::span<const DenseColumns* const> lefts, std::span<const DenseColumns* const> rights,
                   std::span<const std::uint8_t> wanted,
                   const std::function<void(std::size_t, std::span<const double>)>& each) {
  HWY_DYNAMIC_DISPATCH(PairProducts)(lefts.data(), lefts.size(), rights.data(), rights.size(), wanted.data(), each);
}

}  // namespace land
#endif
