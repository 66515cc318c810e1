#include "land/wire/block_message.h"

#include <fmt/format.h>

#include <limits>

#include "land/base/error.h"
#include "land/blocks/check_feature.h"

namespace land {
namespace {

constexpr std::int64_t kMostLevels = 256;
// id, encoding, constant, nominal, levels, stored, missing, checksum, signature.
constexpr std::size_t kHeaderBytes = 8 + 1 + 1 + 1 + 4 + 8 + 8 + 4 + 8;

std::span<const std::byte> bytes_at(const std::byte* data, std::int64_t bytes) {
  return {data, static_cast<std::size_t>(bytes)};
}

// What the samples of a feature with stride 1 take; of a sparse one, the numbers of those that are stored.
std::int64_t data_bytes(const FeatureHeader& header, std::int64_t samples) {
  switch (header.encoding) {
    case Encoding::kFloat32:
      return samples * static_cast<std::int64_t>(sizeof(float));
    case Encoding::kFloat64:
      return samples * static_cast<std::int64_t>(sizeof(double));
    case Encoding::kCodes:
      return samples;
    case Encoding::kPacked2:
      return packed_bytes(samples);
    case Encoding::kSparseCodes:
    case Encoding::kSparseValues:
      return header.stored * sample_number_bytes(samples);
  }
  return 0;
}

std::int64_t entry_bytes(const FeatureHeader& header) {
  if (!is_sparse(header.encoding)) return 0;
  return header.stored * (header.encoding == Encoding::kSparseCodes ? 1 : static_cast<std::int64_t>(sizeof(double)));
}

void put_feature(const FeatureView& feature, MessageWriter& writer) {
  const FeatureHeader& header = *feature.header;
  writer.put(header.id);
  writer.put(header.encoding);
  writer.put(static_cast<std::uint8_t>(header.constant));
  writer.put(static_cast<std::uint8_t>(header.nominal));
  writer.put(header.levels);
  writer.put(header.stored);
  writer.put(header.missing);
  writer.put(header.checksum);
  writer.put(header.signature);
  writer.put_all(bytes_at(feature.data, data_bytes(header, feature.samples)));
  writer.put_all(bytes_at(feature.entries, entry_bytes(header)));
  if (header.levels > 0) writer.put_all(feature.levels);
}

bool has_possible_levels(const FeatureHeader& header) {
  if (header.encoding == Encoding::kCodes || header.encoding == Encoding::kSparseCodes) {
    return header.levels >= 1 && header.levels <= kMostLevels;
  }
  return header.levels == (header.encoding == Encoding::kSparseValues ? 1 : 0);
}

void take_feature(MessageReader& reader, FeatureBlock& block) {
  FeatureHeader header;
  header.id = reader.take<std::int64_t>();
  header.encoding = reader.take_enum(Encoding::kSparseValues, "a feature has an unknown encoding");
  header.constant = reader.take_bool();
  header.nominal = reader.take_bool();
  header.levels = reader.take<std::int32_t>();
  header.stored = reader.take<std::int64_t>();
  header.missing = reader.take<std::int64_t>();
  header.checksum = reader.take<std::uint32_t>();
  header.signature = reader.take<std::uint64_t>();
  reader.require(header.id >= 0, "a feature has no number");
  reader.require(!header.nominal || header.encoding == Encoding::kCodes, "a nominal feature is not coded");
  reader.require(has_possible_levels(header), "a feature has an impossible number of levels");
  reader.require(is_sparse(header.encoding) ? header.stored >= 0 && header.stored <= block.samples : header.stored == 0,
                 "a feature has an impossible number of entries");
  reader.require(header.missing >= 0 && header.missing <= block.samples,
                 "a feature lacks an impossible number of values");
  const std::size_t alignment = is_sparse(header.encoding) ? kShortAlignment : kCacheLine;
  const auto take = [&](std::int64_t bytes, std::size_t aligned_to) {
    const std::string_view from = reader.take_bytes(static_cast<std::uint64_t>(bytes));
    const std::int64_t offset = block.append(bytes, aligned_to);
    if (!from.empty()) std::memcpy(block.payload.data() + offset, from.data(), from.size());
    return offset;
  };
  header.offset = take(data_bytes(header, block.samples), alignment);
  if (is_sparse(header.encoding)) header.entries_offset = take(entry_bytes(header), kShortAlignment);
  if (header.levels > 0) {
    header.levels_offset = take(header.levels * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
  }
  block.headers.push_back(header);
}

}  // namespace

void put_block(const FeatureBlock& block, MessageWriter& writer) {
  writer.put(block.samples);
  writer.put(static_cast<std::uint64_t>(block.headers.size()));
  for (std::int64_t k = 0; k < block.features(); ++k) {
    const FeatureView feature = block.view(k);
    if (feature.header->stride == 1) {
      put_feature(feature, writer);
    } else {
      put_feature(block.extract(k).view(0), writer);
    }
  }
}

FeatureBlock take_block(MessageReader& reader) {
  FeatureBlock block;
  block.samples = reader.take<std::int64_t>();
  // Sample numbers have 32 bits.
  reader.require(block.samples >= 1 && block.samples <= std::numeric_limits<std::int32_t>::max(),
                 "a block has an impossible number of samples");
  const std::size_t count = reader.take_count(kHeaderBytes);
  block.headers.reserve(count);
  for (std::size_t k = 0; k < count; ++k) take_feature(reader, block);
  FeatureCheck check;
  for (std::int64_t k = 0; k < block.features(); ++k) {
    reader.require(check.holds(block.view(k)), "the values of a feature are not what its header says");
  }
  return block;
}

std::string to_message(const FeatureBlock& block) {
  MessageWriter writer(MessageKind::kBlock);
  put_block(block, writer);
  return writer.finish();
}

FeatureBlock read_block(std::string_view message, std::int64_t samples) {
  MessageReader reader(message, MessageKind::kBlock);
  FeatureBlock block = take_block(reader);
  reader.finish();
  if (block.samples != samples) {
    throw InputError(
        fmt::format("a block of features: of {} samples, and those of the table are {}", block.samples, samples));
  }
  return block;
}

}  // namespace land
