#include "land/methods/information/joint_counts.h"

#include <algorithm>
#include <bit>

#include "land/methods/information/level_planes.h"

namespace land {
namespace {

// Whether bits are quicker to count than bytes, as measured: 2 to 30 times up to ten levels, alike at about 25.
bool bits_pay(std::size_t samples, std::size_t words, std::size_t levels) { return words * levels <= 3 * samples; }

}  // namespace

Counted::Counted(std::vector<std::uint32_t> levels, std::uint32_t count, unsigned planes)
    : levels_(std::move(levels)), count_(count), totals_(count, 0) {
  for (const std::uint32_t level : levels_) ++totals_[level];
  const std::size_t n = levels_.size();
  const std::size_t blocks = (n + 63) / 64;
  if (!bits_pay(n, plane_words(n, 1), count_)) return;
  std::vector<std::uint64_t> bits(count_ * blocks, 0);
  for (std::size_t i = 0; i < n; ++i) bits[levels_[i] * blocks + i / 64] |= std::uint64_t{1} << (i % 64);
  for (std::size_t power = 0; power < rows_.size(); ++power) {
    const std::size_t length = plane_words(n, 1 << power);
    if (!bits_pay(n, length, count_)) break;
    if ((planes >> power & 1U) == 0) continue;
    rows_[power].assign(length * count_, 0);
    for (std::size_t level = 0; level < count_; ++level) {
      std::uint64_t* const row = rows_[power].data() + level * length;
      for (std::size_t i = 0; i < blocks << power; ++i) row[i] = bits[level * blocks + (i >> power)];
    }
  }
}

void Counted::count_bytes(const std::uint8_t* bytes, JointCounts& joint) const {
  joint.stride = joint.levels;
  joint.cells.assign(count_ * joint.stride, 0);
  std::uint32_t* const cells = joint.cells.data();
  for (std::size_t i = 0; i < levels_.size(); ++i) ++cells[levels_[i] * joint.stride + bytes[i]];
}

void Counted::count(const FeatureLevels& feature, JointCounts& joint) const {
  const std::size_t n = levels_.size();
  joint.levels = static_cast<std::size_t>(feature.levels);
  if (feature.planes == 0) {
    count_bytes(feature.bytes(), joint);
    return;
  }
  const auto last = joint.levels - 1;
  const auto& rows = rows_[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(feature.planes)))];
  if (rows.empty()) {
    joint.bytes.resize(n);
    levels_of_planes(feature.words(), n, feature.planes, static_cast<std::uint8_t>(last), joint.bytes.data());
    count_bytes(joint.bytes.data(), joint);
    return;
  }
  joint.stride = kPlaneStride;
  joint.cells.resize(count_ * joint.stride);
  count_planes(feature.words(), plane_words(n, feature.planes), feature.planes, rows.data(), count_,
               joint.cells.data());
  for (std::size_t level = 0; level < count_; ++level) {
    std::uint32_t* const row = joint.cells.data() + level * joint.stride;
    std::uint32_t rest = totals_[level];
    for (std::size_t l = 0; l < last; ++l) rest -= row[l];
    row[last] = rest;
  }
}

}  // namespace land
