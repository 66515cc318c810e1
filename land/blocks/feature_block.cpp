#include "land/blocks/feature_block.h"

#include <cstring>

namespace land {

std::string_view to_string(Encoding encoding) {
  switch (encoding) {
    case Encoding::kFloat32:
      return "float32";
    case Encoding::kFloat64:
      return "float64";
    case Encoding::kCodes:
      return "codes";
  }
  return "";
}

double FeatureView::value(std::int64_t sample) const {
  const std::int64_t at = sample * header->stride;
  switch (header->encoding) {
    case Encoding::kFloat32:
      return static_cast<double>(float32()[at]);
    case Encoding::kFloat64:
      return float64()[at];
    case Encoding::kCodes:
      return levels[codes()[at]];
  }
  return 0.0;
}

FeatureView FeatureBlock::view(std::int64_t position) const {
  const FeatureHeader& header = headers[static_cast<std::size_t>(position)];
  FeatureView view{&header, samples, payload.data() + header.offset, {}};
  if (header.levels > 0) {
    view.levels = {reinterpret_cast<const double*>(payload.data() + header.levels_offset),
                   static_cast<std::size_t>(header.levels)};
  }
  return view;
}

std::int64_t FeatureBlock::append(std::int64_t bytes) {
  const std::size_t offset = (payload.size() + kCacheLine - 1) / kCacheLine * kCacheLine;
  payload.resize(offset + static_cast<std::size_t>(bytes));
  return static_cast<std::int64_t>(offset);
}

namespace {

template <class T>
void copy_strided(const T* from, std::int64_t stride, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
}

}  // namespace

FeatureBlock FeatureBlock::extract(std::int64_t position) const {
  const FeatureView from = view(position);
  FeatureBlock block;
  block.samples = samples;
  FeatureHeader header = *from.header;
  header.stride = 1;
  const std::int64_t width =
      header.encoding == Encoding::kFloat32 ? 4 : (header.encoding == Encoding::kFloat64 ? 8 : 1);
  header.offset = block.append(samples * width);
  std::byte* to = block.payload.data() + header.offset;
  switch (header.encoding) {
    case Encoding::kFloat32:
      copy_strided(from.float32(), from.header->stride, samples, reinterpret_cast<float*>(to));
      break;
    case Encoding::kFloat64:
      copy_strided(from.float64(), from.header->stride, samples, reinterpret_cast<double*>(to));
      break;
    case Encoding::kCodes:
      copy_strided(from.codes(), from.header->stride, samples, reinterpret_cast<std::uint8_t*>(to));
      break;
  }
  if (header.levels > 0) {
    header.levels_offset = block.append(header.levels * static_cast<std::int64_t>(sizeof(double)));
    std::memcpy(block.payload.data() + header.levels_offset, from.levels.data(), from.levels.size_bytes());
  }
  block.headers.push_back(header);
  return block;
}

}  // namespace land
