#include "land/store/pack_block.h"

#include <algorithm>
#include <cstring>

namespace land {
namespace {

constexpr auto kLine = static_cast<std::int64_t>(kCacheLine);

// Where the runs of bytes of a feature begin and how long they are; a strip is a run that 16 features may share.
template <class Visit>
void for_each_run(FeatureHeader& header, std::int64_t samples, const Visit& visit) {
  switch (header.encoding) {
    case Encoding::kFloat32:
      visit(header.offset, samples * (header.stride == kStripWidth ? kLine : static_cast<std::int64_t>(sizeof(float))));
      break;
    case Encoding::kFloat64:
      visit(header.offset, samples * static_cast<std::int64_t>(sizeof(double)));
      break;
    case Encoding::kCodes:
      visit(header.offset, samples);
      break;
    case Encoding::kPacked2:
      visit(header.offset, packed_bytes(samples));
      break;
    case Encoding::kSparseCodes:
      visit(header.offset, header.stored * static_cast<std::int64_t>(sizeof(std::int32_t)));
      visit(header.entries_offset, header.stored);
      break;
    case Encoding::kSparseValues:
      visit(header.offset, header.stored * static_cast<std::int64_t>(sizeof(std::int32_t)));
      visit(header.entries_offset, header.stored * static_cast<std::int64_t>(sizeof(double)));
      break;
  }
  if (header.levels > 0) visit(header.levels_offset, header.levels * static_cast<std::int64_t>(sizeof(double)));
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
      for_each_run(header, block.samples, [&](std::int64_t& offset, std::int64_t bytes) {
        const std::int64_t lane = offset % kLine;  // 0 outside of strips
        const std::int64_t from = offset - lane;
        if (header.stride == kStripWidth && from == strip_from) {
          offset = strip_to + lane;
          return;
        }
        const std::int64_t to = size;
        size = (size + bytes + kLine - 1) / kLine * kLine;
        if (header.stride == kStripWidth) {
          strip_from = from;
          strip_to = to;
        }
        if (copying) {
          std::memcpy(packed.payload.data() + to, base + from, static_cast<std::size_t>(bytes));
          std::fill(packed.payload.data() + to + bytes, packed.payload.data() + size, std::byte{0});
        }
        offset = to + lane;
      });
      packed.headers[k] = header;
    }
    packed.payload.resize(static_cast<std::size_t>(size));
  }
}

}  // namespace land
