#include "land/kernels/factors/column_products.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/factors/column_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

// So many chunks are worked on together: a tile's columns of them stay in the first-level cache, and those of all lefts
// in the second-level one while the rights pass by. The last one goes with the two before it.
constexpr std::int64_t kRunChunks = 2;
constexpr std::int64_t run_length(std::int64_t chunks_left) {
  return chunks_left <= kRunChunks + 1 ? chunks_left : kRunChunks;
}

// Some chunks in a row of one operand.
struct Run {
  const double* values = nullptr;  // of the first chunk
  std::int64_t columns = 0;
  std::int64_t chunks = 0;
  std::size_t last_rows = 0;  // of the last chunk

  std::size_t rows() const { return static_cast<std::size_t>((chunks - 1) * kChunk) + last_rows; }
};

// Columns on either side are cut into groups; a tile is a group times a group. So many columns on the left and on the
// right make a tile whose sums, a vector each, fit the registers beside what is multiplied.
constexpr bool kManyRegisters = hn::MaxLanes(D()) == 8;  // AVX-512 has 32, where others may have 16
struct TileSize {
  int left;
  int right;
};
constexpr std::array<TileSize, 3> kLargeTiles{{{4, 6}, {5, 5}, {6, 4}}};
constexpr std::array<TileSize, 2> kSmallTiles{{{4, 3}, {3, 4}}};
constexpr std::span<const TileSize> kTileSizes =
    kManyRegisters ? std::span<const TileSize>(kLargeTiles) : std::span<const TileSize>(kSmallTiles);
constexpr int kWidest = 6;

// The sums of the lanes of as many vectors as a vector has lanes, in one vector. Each is added up in the same order.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE V lane_sums(D /*tag*/, const V* v) { return v[0]; }
#else
template <class Tag>
HWY_INLINE hn::Vec<Tag> lane_sums(Tag d, const hn::Vec<Tag>* v) {
  const auto two = [&](std::size_t x) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(d, v[x], v[x + 1]), hn::InterleaveUpper(d, v[x], v[x + 1]));
  };
  const auto four = [&](std::size_t x, std::size_t y) HWY_ATTR {
    const auto p = two(x);
    const auto q = two(y);
    return hn::Add(hn::ConcatLowerLower(d, q, p), hn::ConcatUpperUpper(d, q, p));
  };
  constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  static_assert(kLanes == 2 || kLanes == 4 || kLanes == 8);
  if constexpr (kLanes == 2) return two(0);
  if constexpr (kLanes == 4) return four(0, 2);
  if constexpr (kLanes == 8) {
    const auto t = four(0, 4);
    const auto u = four(2, 6);
    return hn::Add(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(u), t), hn::OddEvenBlocks(u, hn::SwapAdjacentBlocks(t)));
  }
}
#endif

constexpr std::size_t padded(std::size_t count) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  return (count + kLanes - 1) / kLanes * kLanes;
}

// Bytes to ask for while a tile is worked on, so many with each vector of samples.
struct Soon {
  const char* at = nullptr;
  std::size_t step = 0;  // at most two cache lines
};

// To have it in the second-level cache; the first is full of what is being worked on.
HWY_INLINE void ask_for(const char* line) { __builtin_prefetch(line, 0, 2); }

// s[x * kRight + y] += products of some rows of kLeft columns with kRight.
template <int kLeft, int kRight>
HWY_INLINE void add_rows(const double* left, const double* right, std::size_t rows, Soon& soon, V* s) {
  const D d;
  std::size_t i = 0;
  do {
    ask_for(soon.at);
    ask_for(soon.at + soon.step / 2);
    soon.at += soon.step;
    V r[kRight];
    for (int y = 0; y < kRight; ++y) r[y] = hn::Load(d, right + static_cast<std::size_t>(y) * rows + i);
    for (int x = 0; x < kLeft; ++x) {
      const V l = hn::Load(d, left + static_cast<std::size_t>(x) * rows + i);
      for (int y = 0; y < kRight; ++y) s[x * kRight + y] = hn::MulAdd(l, r[y], s[x * kRight + y]);
    }
    i += hn::Lanes(d);
  } while (i < rows);
}

// sums[x * kRight + y] += products of kLeft columns with kRight.
template <int kLeft, int kRight>
void tile(const Run& left, std::int64_t left_column, const Run& right, std::int64_t right_column, Soon soon,
          double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V s[padded(kLeft * kRight)];
  for (V& sum : s) sum = hn::Zero(d);
  std::int64_t c = 0;
  do {
    const std::size_t rows = c + 1 < left.chunks ? static_cast<std::size_t>(kChunk) : left.last_rows;
    const double* a = left.values + c * left.columns * kChunk + static_cast<std::size_t>(left_column) * rows;
    const double* b = right.values + c * right.columns * kChunk + static_cast<std::size_t>(right_column) * rows;
    if (rows == kChunk) {
      add_rows<kLeft, kRight>(a, b, kChunk, soon, s);  // columns at known distances
    } else {
      add_rows<kLeft, kRight>(a, b, rows, soon, s);
    }
  } while (++c < left.chunks);
  for (std::size_t j = 0; j < padded(kLeft * kRight); j += lanes) {
    hn::Store(hn::Add(hn::Load(d, sums + j), lane_sums(d, s + j)), d, sums + j);
  }
}

using Tile = void (*)(const Run&, std::int64_t, const Run&, std::int64_t, Soon, double*);

template <int kLeft, int kRight>
constexpr Tile tile_if_used() {
  for (const auto& [left, right] : kTileSizes) {
    if (kLeft <= left && kRight <= right) return tile<kLeft, kRight>;
  }
  return nullptr;
}
template <int kLeft>
constexpr std::array<Tile, kWidest> tiles_with() {
  return {tile_if_used<kLeft, 1>(), tile_if_used<kLeft, 2>(), tile_if_used<kLeft, 3>(),
          tile_if_used<kLeft, 4>(), tile_if_used<kLeft, 5>(), tile_if_used<kLeft, 6>()};
}
// [x - 1][y - 1]: of x columns with y.
constexpr std::array<std::array<Tile, kWidest>, kWidest> kTiles{tiles_with<1>(), tiles_with<2>(), tiles_with<3>(),
                                                                tiles_with<4>(), tiles_with<5>(), tiles_with<6>()};

// Where columns are made as they are read, in `room`.
Run run_of(const Columns& columns, std::int64_t begin, AlignedBuffer<double>& room) {
  const std::int64_t chunks = run_length(chunks_of(columns.samples) - begin);
  return {columns.chunks(begin, chunks, room), columns.columns, chunks,
          static_cast<std::size_t>(columns.rows(begin + chunks - 1))};
}

// The runs that come next: asked for little by little, while the present ones are worked on.
class Ahead {
 public:
  void add(const Columns& columns, std::int64_t begin) {
    if (!columns.stored()) return;
    AlignedBuffer<double> unused;
    const Run run = run_of(columns, begin, unused);
    const auto bytes = run.columns * static_cast<std::int64_t>(run.rows() * sizeof(double));
    pieces_.emplace_back(reinterpret_cast<const char*>(run.values), bytes);
    bytes_ += bytes;
  }

  // All that was added is asked for in about so many tiles of so many vectors each, what was added last first.
  void spread(std::int64_t tiles, std::int64_t vectors) {
    constexpr std::int64_t kMost = 128;
    step_ = std::min(kMost, bytes_ / (tiles * vectors) + 1);
    each_ = step_ * vectors;
  }

  // What to ask for in a tile; `otherwise`: what is at hand, where there is nothing.
  HWY_INLINE Soon next(const double* otherwise) {
    if (pieces_.empty()) return {reinterpret_cast<const char*>(otherwise), 0};
    auto& [at, left] = pieces_.back();
    const Soon soon{at, static_cast<std::size_t>(step_)};
    at += each_;
    left -= each_;
    if (left <= 0) pieces_.pop_back();
    return soon;
  }

  void clear() {
    pieces_.clear();
    bytes_ = 0;
  }

 private:
  std::vector<std::pair<const char*, std::int64_t>> pieces_;
  std::int64_t bytes_ = 0;
  std::int64_t step_ = 0;  // bytes with each vector
  std::int64_t each_ = 0;  // and with each tile
};

// One pair of operands: which tiles it has, and how each is computed.
class Pairing {
 public:
  Pairing(const Columns& left, const Columns& right)
      : left_(left),
        right_(right),
        lefts_(groups(left.columns, kTileSizes.front().left)),
        rights_(groups(right.columns, kTileSizes.front().right)) {
    for (const auto& [x, y] : kTileSizes.subspan(1)) {
      const std::int64_t lefts = groups(left.columns, x);
      const std::int64_t rights = groups(right.columns, y);
      if (lefts * rights >= tiles()) continue;
      lefts_ = lefts;
      rights_ = rights;
    }
  }

  std::int64_t tiles() const { return lefts_ * rights_; }
  // Doubles that the sums of all tiles take.
  std::size_t sums() const {
    std::size_t count = 0;
    each_tile([&](std::int64_t, std::int64_t width, std::int64_t, std::int64_t height) {
      count += padded(static_cast<std::size_t>(width * height));
    });
    return count;
  }

  HWY_INLINE void add(const Run& left, const Run& right, double* sums, Ahead& ahead) const {
    each_tile([&](std::int64_t x, std::int64_t width, std::int64_t y, std::int64_t height) {
      const Soon soon = ahead.next(left.values);
      kTiles[static_cast<std::size_t>(width - 1)][static_cast<std::size_t>(height - 1)](left, x, right, y, soon, sums);
      sums += padded(static_cast<std::size_t>(width * height));
    });
  }

  // Undoes the order of the tiles: products[x * right columns + y].
  void gather(const double* sums, double* products) const {
    each_tile([&](std::int64_t x, std::int64_t width, std::int64_t y, std::int64_t height) {
      for (std::int64_t a = 0; a < width; ++a) {
        const double* row = sums + a * height;
        std::copy_n(row, height, products + (x + a) * right_.columns + y);
        for (std::int64_t b = 0; is_square() && b < height; ++b) products[(y + b) * right_.columns + x + a] = row[b];
      }
      sums += padded(static_cast<std::size_t>(width * height));
    });
  }

 private:
  static std::int64_t groups(std::int64_t columns, int most) {
    return std::max<std::int64_t>(1, (columns + most - 1) / most);
  }
  bool is_square() const { return &left_ == &right_; }

  // Of a square only the tiles that are not wholly on one side of its diagonal.
  template <class Function>
  HWY_INLINE void each_tile(const Function& function) const {
    // Groups as even as can be: the first ones have a column more.
    const std::int64_t more_left = left_.columns % lefts_;
    const std::int64_t more_right = right_.columns % rights_;
    std::int64_t width = left_.columns / lefts_ + 1;
    for (std::int64_t g = 0, x = 0; g < lefts_; ++g, x += width) {
      if (g == more_left) --width;
      std::int64_t height = right_.columns / rights_ + 1;
      for (std::int64_t h = 0, y = 0; h < rights_; ++h, y += height) {
        if (h == more_right) --height;
        if (is_square() && y + height <= x) continue;
        function(x, width, y, height);
      }
    }
  }

  const Columns& left_;
  const Columns& right_;
  std::int64_t lefts_;  // groups
  std::int64_t rights_;
};

void PairProducts(const Columns* const* lefts, std::size_t left_count, const Columns* const* rights,
                  std::size_t right_count, const std::uint8_t* wanted,
                  const std::function<void(std::size_t, std::span<const double>)>& each) {
  static thread_local AlignedBuffer<double> sums;
  std::vector<Pairing> pairings;
  std::vector<std::size_t> starts(1, 0);
  pairings.reserve(left_count * right_count);
  starts.reserve(left_count * right_count + 1);
  std::vector<std::int64_t> tiles(right_count, 0);  // of all pairs with a right
  for (std::size_t l = 0; l < left_count; ++l) {
    for (std::size_t r = 0; r < right_count; ++r) {
      const bool is_wanted = wanted[l * right_count + r] != 0;
      const Pairing& pairing = pairings.emplace_back(*lefts[l], *rights[r]);
      starts.push_back(starts.back() + (is_wanted ? pairing.sums() : 0));
      if (is_wanted) tiles[r] += pairing.tiles();
    }
  }
  sums.assign(starts.back(), 0.0);
  const std::int64_t chunks = chunks_of(lefts[0]->samples);
  Ahead ahead;
  std::vector<Run> left_runs(left_count);
  std::vector<AlignedBuffer<double>> left_rooms(left_count);
  AlignedBuffer<double> right_room;
  for (std::int64_t begin = 0, next = 0; begin < chunks; begin = next) {
    next = begin + run_length(chunks - begin);
    for (std::size_t l = 0; l < left_count; ++l) left_runs[l] = run_of(*lefts[l], begin, left_rooms[l]);
    for (std::size_t r = 0; r < right_count; ++r) {
      const auto same = static_cast<std::size_t>(std::find(lefts, lefts + left_count, rights[r]) - lefts);
      const Run right = same < left_count ? left_runs[same] : run_of(*rights[r], begin, right_room);
      ahead.clear();
      if (r + 1 < right_count) {
        ahead.add(*rights[r + 1], begin);
      } else if (next < chunks) {
        for (std::size_t l = left_count; l-- > 0;) ahead.add(*lefts[l], next);
        ahead.add(*rights[0], next);
      }
      const auto vectors = static_cast<std::int64_t>(right.rows() / hn::Lanes(D()));
      ahead.spread(std::max<std::int64_t>(tiles[r], 1), vectors);
      for (std::size_t l = 0; l < left_count; ++l) {
        const std::size_t pair = l * right_count + r;
        if (wanted[pair] != 0) pairings[pair].add(left_runs[l], right, sums.data() + starts[pair], ahead);
      }
    }
  }
  std::vector<double> products;
  for (std::size_t l = 0; l < left_count; ++l) {
    for (std::size_t r = 0; r < right_count; ++r) {
      const std::size_t pair = l * right_count + r;
      if (wanted[pair] == 0) continue;
      products.resize(static_cast<std::size_t>(lefts[l]->columns * rights[r]->columns));
      pairings[pair].gather(sums.data() + starts[pair], products.data());
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
HWY_EXPORT(PairProducts);
}  // namespace

void pair_products(std::span<const Columns* const> lefts, std::span<const Columns* const> rights,
                   std::span<const std::uint8_t> wanted,
                   const std::function<void(std::size_t, std::span<const double>)>& each) {
  HWY_DYNAMIC_DISPATCH(PairProducts)(lefts.data(), lefts.size(), rights.data(), rights.size(), wanted.data(), each);
}

void column_products(const Columns& left, const Columns& right, double* products) {
  const std::array<const Columns*, 2> pair{&left, &right};
  constexpr std::uint8_t kWanted = 1;
  pair_products({pair.data(), 1}, {pair.data() + 1, 1}, {&kWanted, 1},
                [&](std::size_t, std::span<const double> found) { std::copy(found.begin(), found.end(), products); });
}

double sum_of_squares(std::span<const double> products, std::int64_t rows, std::int64_t columns) {
  const auto square = [&](std::int64_t x, std::int64_t y) {
    if (x >= rows || y >= columns) return 0.0;
    const double product = products[static_cast<std::size_t>(x * columns + y)];
    return product * product;
  };
  double total = 0.0;
  for (std::int64_t x = 0; x < std::max(rows, columns); ++x) {
    double corner = square(x, x);  // row and column x, up to here: no corner waits for another
    for (std::int64_t y = 0; y < x; ++y) corner += square(x, y) + square(y, x);
    total += corner;
  }
  return total;
}

}  // namespace land
#endif
