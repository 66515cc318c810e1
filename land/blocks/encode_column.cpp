#include "land/blocks/encode_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "land/base/checksum.h"
#include "land/blocks/distinct_values.h"

namespace land {
namespace {

std::int64_t most_levels(std::int64_t samples) {
  std::int64_t most = 256;
  while (most > 0 && !codes_pay(most, samples)) --most;
  return most;
}

template <class T>
bool append_codes(const T* values, std::int64_t stride, std::int64_t id, FeatureBlock& block) {
  DistinctValues<256> distinct(most_levels(block.samples));
  // Not straight into the block: `values` may stand in it, and it may move when it grows.
  static thread_local std::vector<std::uint8_t> codes;
  codes.resize(static_cast<std::size_t>(block.samples));
  for (std::int64_t i = 0; i < block.samples; ++i) {
    const int code = distinct.code(static_cast<double>(values[i * stride]));
    if (code < 0) return false;
    codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(code);
  }
  FeatureHeader header;
  header.id = id;
  header.encoding = Encoding::kCodes;
  header.offset = block.append(block.samples);
  std::memcpy(block.payload.data() + header.offset, codes.data(), codes.size());
  const std::span<const double> levels = distinct.values();
  header.levels = static_cast<std::int32_t>(levels.size());
  header.missing = std::count_if(codes.begin(), codes.end(), [&](std::uint8_t c) { return std::isnan(levels[c]); });
  header.constant = std::ssize(levels) - (header.missing > 0 ? 1 : 0) <= 1;
  header.levels_offset = block.append(static_cast<std::int64_t>(levels.size_bytes()), kShortAlignment);
  std::memcpy(block.payload.data() + header.levels_offset, levels.data(), levels.size_bytes());
  block.headers.push_back(header);
  return true;
}

}  // namespace

bool encode_codes(const float* values, std::int64_t stride, std::int64_t id, FeatureBlock& block) {
  return append_codes(values, stride, id, block);
}

void encode_bytes(std::span<const std::uint8_t> values, bool is_signed, std::span<const std::uint32_t> multipliers,
                  std::int64_t id, FeatureBlock& block) {
  const std::uint8_t flip = is_signed ? 0x80 : 0;  // makes the order of signed bytes that of unsigned ones
  std::array<std::uint8_t, 256> present{};
  for (const std::uint8_t value : values) present[value ^ flip] = 1;
  std::uint32_t checksum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) checksum += (values[i] + 1U) * multipliers[i];
  const auto low = std::find(present.begin(), present.end(), 1) - present.begin();
  const auto high = 255 - (std::find(present.rbegin(), present.rend(), 1) - present.rbegin());
  const double base = static_cast<double>(low) - (is_signed ? 128.0 : 0.0);

  FeatureHeader header;
  header.id = id;
  header.checksum = checksum;
  header.constant = low == high;
  if (codes_pay(std::count(present.begin(), present.end(), 1), block.samples)) {
    header.encoding = Encoding::kCodes;
    header.levels = static_cast<std::int32_t>(high - low + 1);
    header.offset = block.append(block.samples);
    auto* codes = reinterpret_cast<std::uint8_t*>(block.payload.data() + header.offset);
    for (std::size_t i = 0; i < values.size(); ++i) codes[i] = static_cast<std::uint8_t>((values[i] ^ flip) - low);
    header.levels_offset = block.append(header.levels * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
    auto* levels = reinterpret_cast<double*>(block.payload.data() + header.levels_offset);
    for (std::int32_t c = 0; c < header.levels; ++c) levels[c] = base + c;
  } else {
    header.encoding = Encoding::kFloat32;
    header.offset = block.append(block.samples * static_cast<std::int64_t>(sizeof(float)));
    auto* floats = reinterpret_cast<float*>(block.payload.data() + header.offset);
    for (std::size_t i = 0; i < values.size(); ++i) {
      floats[i] = static_cast<float>((values[i] ^ flip) - (is_signed ? 128 : 0));
    }
  }
  block.headers.push_back(header);
}

namespace {

// What has to be known of a column to choose its encoding.
struct ColumnLook {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::int64_t missing = 0;
  bool single = true;  // every value is a float32
  std::uint32_t checksum = 0;
};

ColumnLook look_at(std::span<const double> values, std::span<const std::uint32_t> multipliers) {
  // In lanes that do not wait for each other.
  constexpr std::size_t kLanes = 4;
  std::array<ColumnLook, kLanes> lanes;
  const auto look = [&](ColumnLook& lane, std::size_t i) {
    const double value = values[i];
    lane.low = value < lane.low ? value : lane.low;
    lane.high = value > lane.high ? value : lane.high;
    lane.missing += value != value ? 1 : 0;
    lane.single &= value != value || static_cast<double>(static_cast<float>(value)) == value;
    lane.checksum += checksum_word(value) * multipliers[i];
  };
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) look(lanes[l], i + l);
  }
  for (; i < values.size(); ++i) look(lanes[0], i);
  ColumnLook all;
  for (const ColumnLook& lane : lanes) {
    all.low = std::min(all.low, lane.low);
    all.high = std::max(all.high, lane.high);
    all.missing += lane.missing;
    all.single &= lane.single;
    all.checksum += lane.checksum;
  }
  return all;
}

}  // namespace

void encode_column(std::span<const double> values, std::span<const std::uint32_t> multipliers, std::int64_t id,
                   FeatureBlock& block) {
  const ColumnLook look = look_at(values, multipliers);
  if (!append_codes(values.data(), 1, id, block)) {
    FeatureHeader header;
    header.id = id;
    header.missing = look.missing;
    header.constant = !(look.low < look.high);
    if (look.single) {
      header.encoding = Encoding::kFloat32;
      header.offset = block.append(block.samples * static_cast<std::int64_t>(sizeof(float)));
      std::copy(values.begin(), values.end(), reinterpret_cast<float*>(block.payload.data() + header.offset));
    } else {
      header.encoding = Encoding::kFloat64;
      header.offset = block.append(block.samples * static_cast<std::int64_t>(sizeof(double)));
      std::copy(values.begin(), values.end(), reinterpret_cast<double*>(block.payload.data() + header.offset));
    }
    block.headers.push_back(header);
  }
  block.headers.back().checksum = look.checksum;
}

bool encode_categories(std::int64_t position, FeatureBlock& block) {
  FeatureHeader header = block.headers[static_cast<std::size_t>(position)];
  const auto n = static_cast<std::size_t>(block.samples);
  static thread_local std::vector<double> values;
  static thread_local std::vector<std::uint8_t> codes;
  values.resize(n);
  codes.resize(n);
  block.view(position).copy_values(values);
  DistinctValues<kMostNominal> distinct;
  for (std::size_t i = 0; i < n; ++i) {
    const int code = distinct.code(values[i]);
    if (code < 0) return false;
    codes[i] = static_cast<std::uint8_t>(code);
  }
  header.encoding = Encoding::kCodes;
  header.stride = 1;
  header.stored = 0;
  header.entries_offset = 0;
  header.stats = {};
  header.levels = distinct.count();
  header.offset = block.append(block.samples);
  std::memcpy(block.payload.data() + header.offset, codes.data(), n);
  const std::span<const double> levels = distinct.values();
  header.levels_offset = block.append(static_cast<std::int64_t>(levels.size_bytes()));
  std::memcpy(block.payload.data() + header.levels_offset, levels.data(), levels.size_bytes());
  block.headers[static_cast<std::size_t>(position)] = header;
  return true;
}

}  // namespace land
