#include "land/methods/information/level_store.h"

#include <algorithm>
#include <cstring>

#include "land/methods/information/level_planes.h"

namespace land {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{4} << 20U;

std::size_t whole_lines(std::size_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }

}  // namespace

std::int64_t LevelStore::least_bytes(std::int64_t samples) {
  return static_cast<std::int64_t>(plane_words(static_cast<std::size_t>(samples), 1) * sizeof(std::uint64_t));
}

std::byte* LevelStore::room_for(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (chunks_.empty() || used_ + bytes > chunks_.back().size()) {
    chunks_.emplace_back(std::max(bytes, kChunkBytes));
    bytes_ += static_cast<std::int64_t>(chunks_.back().size());
    used_ = 0;
  }
  std::byte* const room = chunks_.back().data() + used_;
  used_ += bytes;
  return room;
}

FeatureLevels LevelStore::put(std::size_t feature, std::span<std::uint8_t> levels, int count) {
  FeatureLevels& one = all_[feature];
  one.levels = count;
  if (count < 2) return one;
  const auto n = static_cast<std::size_t>(samples_);
  if (count > kMostPlaneLevels) {
    std::byte* const room = room_for(whole_lines(n));
    std::memcpy(room, levels.data(), n);
    one.data = room;
    return one;
  }
  constexpr std::uint8_t kNone = 255;
  std::fill(levels.begin() + samples_, levels.end(), kNone);
  one.planes = planes_of(count);
  planes_ |= static_cast<unsigned>(one.planes);
  std::byte* const room = room_for(plane_words(n, one.planes) * sizeof(std::uint64_t));
  make_planes(levels.data(), n, one.planes, reinterpret_cast<std::uint64_t*>(room));
  one.data = room;
  return one;
}

void LevelStore::copy_levels(std::size_t feature, std::span<std::uint8_t> levels) const {
  const FeatureLevels& one = all_[feature];
  const auto n = static_cast<std::size_t>(samples_);
  if (one.planes == 0) {
    std::memcpy(levels.data(), one.bytes(), n);
  } else {
    levels_of_planes(one.words(), n, one.planes, static_cast<std::uint8_t>(one.levels - 1), levels.data());
  }
}

}  // namespace land
