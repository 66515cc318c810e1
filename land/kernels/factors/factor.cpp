#include "land/kernels/factors/factor.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "land/blocks/packed_counts.h"
#include "land/kernels/factors/kernel_columns.h"

namespace land {

void index_levels(Factor& factor) {
  const auto levels = static_cast<std::size_t>(factor.level_count());
  factor.level_counts.assign(levels, 0);
  for (const std::uint16_t code : factor.codes) ++factor.level_counts[code];
  constexpr std::size_t kMostPlanes = 3;
  if (levels >= 2 && levels <= kMostPlanes + 1) factor.planes = level_planes(factor.codes, levels);
  const auto most = std::max_element(factor.level_counts.begin(), factor.level_counts.end());
  if (8 * (factor.codes.size() - *most) > factor.codes.size()) return;
  factor.common = static_cast<std::uint16_t>(most - factor.level_counts.begin());
  for (std::size_t i = 0; i < factor.codes.size(); ++i) {
    if (factor.codes[i] != factor.common) factor.uncommon.push_back(static_cast<std::int32_t>(i));
  }
}

std::int64_t Factor::bytes() const {
  const std::int64_t held = static_cast<std::int64_t>((stored.values.capacity() + levels.size()) * sizeof(double) +
                                                      codes.size() * sizeof(std::uint16_t));
  return held + (streamed ? streamed->bytes() : 0);
}

std::int64_t factor_bytes(std::int64_t samples) {
  return samples < kLeastStreamed ? stored_factor_bytes(samples) : samples * static_cast<std::int64_t>(sizeof(double));
}

std::int64_t stored_factor_bytes(std::int64_t samples) {
  constexpr std::int64_t kUsualColumns = 20;
  return samples * kUsualColumns * static_cast<std::int64_t>(sizeof(double));
}

Factor stored_by_sample(Factor factor) {
  if (factor.coded()) {
    factor.streamed = std::make_shared<LevelColumns>(factor.codes, factor.levels, factor.columns);
  }
  if (!factor.streamed) return factor;
  Factor result;
  result.samples = factor.samples;
  result.columns = factor.columns;
  result.scale = factor.scale;
  result.norm = factor.norm;
  result.residual = factor.residual;
  result.stored.reshape(factor.samples, factor.columns);
  AlignedBuffer<double> room;
  for (std::int64_t c = 0; c < chunks_of(factor.samples); ++c) {
    const std::int64_t count = factor.columns * result.stored.rows(c);
    std::copy_n(factor.streamed->chunks(c, 1, room), count, result.stored.chunk(c));
  }
  return result;
}

}  // namespace land
