#include "land/store/pack_block.h"

#include <algorithm>
#include <cstring>

namespace land {
namespace {

constexpr auto kLine = static_cast<std::int64_t>(kCacheLine);

constexpr auto kShort = static_cast<std::int64_t>(kShortAlignment);

// Where the runs of bytes of a feature begin, how long they are and how they are aligned; a strip is a run that 16
// features may share.
template <class Visit>
void for_each_run(FeatureHeader& header, std::int64_t samples, const Visit& visit) {
  switch (header.encoding) {
    case Encoding::kFloat32:
      visit(header.offset, samples * (header.stride == kStripWidth ? kLine : static_cast<std::int64_t>(sizeof(float))),
            kLine);
      break;
    case Encoding::kFloat64:
      visit(header.offset, samples * static_cast<std::int64_t>(sizeof(double)), kLine);
      break;
    case Encoding::kCodes:
      visit(header.offset, samples, kLine);
      break;
    case Encoding::kPacked2:
      visit(header.offset, packed_bytes(samples), kLine);
      break;
    case Encoding::kSparseCodes:
      visit(header.offset, header.stored * sample_number_bytes(samples), kShort);
      visit(header.entries_offset, header.stored, kShort);
      break;
    case Encoding::kSparseValues:
      visit(header.offset, header.stored * sample_number_bytes(samples), kShort);
      visit(header.entries_offset, header.stored * static_cast<std::int64_t>(sizeof(double)), kShort);
      break;
  }
  if (header.levels > 0) visit(header.levels_offset, header.levels * static_cast<std::int64_t>(sizeof(double)), kShort);
}

}  // namespace

void pack_block(const FeatureBlock& block, FeatureBlock& packed) {
  packed.clear(block.samples);
  packed.headers = block.headers;
  const std::byte* base = block.elsewhere != nullptr ? block.elsewhere : block.payload.data();
  // Twice the same walk: how much there is, then the bytes.
  for (const bool copying : {false, true}) {
    std::int64_t size = 0;
    std::int64_t strip_from = -1;
    std::int64_t strip_to = 0;
    for (std::size_t k = 0; k < block.headers.size(); ++k) {
      FeatureHeader header = block.headers[k];
      const bool strip = header.stride == kStripWidth;
      for_each_run(header, block.samples, [&](std::int64_t& offset, std::int64_t bytes, std::int64_t alignment) {
        const std::int64_t lane = strip ? offset % kLine : 0;
        const std::int64_t from = offset - lane;
        if (strip && from == strip_from) {
          offset = strip_to + lane;
          return;
        }
        const std::int64_t to = (size + alignment - 1) / alignment * alignment;
        if (strip) {
          strip_from = from;
          strip_to = to;
        }
        if (copying) {
          std::fill(packed.payload.data() + size, packed.payload.data() + to, std::byte{0});
          std::memcpy(packed.payload.data() + to, base + from, static_cast<std::size_t>(bytes));
        }
        size = to + bytes;
        offset = to + lane;
      });
      packed.headers[k] = header;
    }
    packed.payload.resize(static_cast<std::size_t>(size));
  }
}

}  // namespace land
