#include "land/generate/fill_rows.h"

#include <algorithm>
#include <array>

namespace land {

void fill_rows(const SyntheticTable& table, std::int64_t first_sample, std::int64_t first_feature,
               std::int64_t features, std::int64_t stride, std::span<float> rows) {
  // Features by tiles: a row of a tile is a cache line of the rows.
  constexpr std::int64_t kWidth = 16;
  constexpr std::int64_t kHeight = 64;
  std::array<float, kWidth * kHeight> tile;
  const std::int64_t samples = (std::ssize(rows) - features) / stride + 1;
  for (std::int64_t k = 0; k < features; k += kWidth) {
    const std::int64_t width = std::min(kWidth, features - k);
    for (std::int64_t i = 0; i < samples; i += kHeight) {
      const std::int64_t height = std::min(kHeight, samples - i);
      for (std::int64_t c = 0; c < width; ++c) {
        table.column(first_feature + k + c, first_sample + i,
                     {tile.data() + c * kHeight, static_cast<std::size_t>(height)});
      }
      for (std::int64_t r = 0; r < height; ++r) {
        float* row = rows.data() + (i + r) * stride + k;
        for (std::int64_t c = 0; c < width; ++c) row[c] = tile[static_cast<std::size_t>(c * kHeight + r)];
      }
    }
  }
}

}  // namespace land
