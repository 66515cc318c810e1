#include "land/blocks/feature_block.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace land {

std::string_view to_string(Encoding encoding) {
  switch (encoding) {
    case Encoding::kFloat32:
      return "float32";
    case Encoding::kFloat64:
      return "float64";
    case Encoding::kCodes:
      return "codes";
    case Encoding::kPacked2:
      return "packed2";
    case Encoding::kSparseCodes:
      return "sparse codes";
    case Encoding::kSparseValues:
      return "sparse values";
  }
  return "";
}

std::span<const double> genotype_levels() {
  static constexpr std::array<double, 4> kLevels = {2.0, std::numeric_limits<double>::quiet_NaN(), 1.0, 0.0};
  return kLevels;
}

namespace {

std::uint8_t packed_code(const std::uint8_t* packed, std::int64_t sample) {
  return packed[sample / 4] >> (2 * (sample % 4)) & 3U;
}

}  // namespace

double FeatureView::value(std::int64_t sample) const {
  const std::int64_t at = sample * header->stride;
  switch (header->encoding) {
    case Encoding::kFloat32:
      return static_cast<double>(float32()[at]);
    case Encoding::kFloat64:
      return float64()[at];
    case Encoding::kCodes:
      return levels[codes()[at]];
    case Encoding::kPacked2:
      return levels[packed_code(packed(), sample)];
    case Encoding::kSparseCodes:
    case Encoding::kSparseValues: {
      return visit_stored_samples([&](auto rows) {
        const auto found = std::lower_bound(rows.begin(), rows.end(), sample);
        if (found == rows.end() || *found != sample) return levels[0];
        const auto entry = found - rows.begin();
        return header->encoding == Encoding::kSparseCodes ? levels[stored_codes()[entry]] : stored_values()[entry];
      });
    }
  }
  return 0.0;
}

void FeatureView::copy_values(std::span<double> to) const {
  const std::int64_t stride = header->stride;
  switch (header->encoding) {
    case Encoding::kFloat32:
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = static_cast<double>(float32()[static_cast<std::int64_t>(i) * stride]);
      }
      return;
    case Encoding::kFloat64:
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = float64()[static_cast<std::int64_t>(i) * stride];
      return;
    case Encoding::kCodes:
    case Encoding::kPacked2:
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = value(static_cast<std::int64_t>(i));
      return;
    case Encoding::kSparseCodes:
    case Encoding::kSparseValues: {
      std::fill(to.begin(), to.end(), levels[0]);
      const bool coded = header->encoding == Encoding::kSparseCodes;
      visit_stored_samples([&](auto rows) {
        for (std::size_t e = 0; e < rows.size(); ++e) {
          to[static_cast<std::size_t>(rows[e])] = coded ? levels[stored_codes()[e]] : stored_values()[e];
        }
      });
      return;
    }
  }
}

void FeatureView::copy_codes(std::span<std::uint8_t> to) const {
  if (header->encoding == Encoding::kPacked2) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = packed_code(packed(), static_cast<std::int64_t>(i));
  } else if (header->encoding == Encoding::kSparseCodes) {
    std::fill(to.begin(), to.end(), std::uint8_t{0});
    visit_stored_samples([&](auto rows) {
      for (std::size_t e = 0; e < rows.size(); ++e) to[static_cast<std::size_t>(rows[e])] = stored_codes()[e];
    });
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = codes()[static_cast<std::int64_t>(i) * header->stride];
  }
}

FeatureView FeatureBlock::view(std::int64_t position) const {
  return view_of(headers[static_cast<std::size_t>(position)], samples,
                 elsewhere != nullptr ? elsewhere : payload.data());
}

FeatureView view_of(const FeatureHeader& header, std::int64_t samples, const std::byte* base) {
  FeatureView view{&header, samples, base + header.offset, nullptr, {}};
  if (is_sparse(header.encoding)) view.entries = base + header.entries_offset;
  if (header.encoding == Encoding::kPacked2) {
    view.levels = genotype_levels();
  } else if (header.levels > 0) {
    view.levels = {reinterpret_cast<const double*>(base + header.levels_offset),
                   static_cast<std::size_t>(header.levels)};
  }
  return view;
}

std::int64_t FeatureBlock::append(std::int64_t bytes, std::size_t alignment) {
  const std::size_t offset = (payload.size() + alignment - 1) / alignment * alignment;
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
  FeatureBlock block;
  block.samples = samples;
  block.append_feature(view(position));
  return block;
}

FeatureBlock FeatureBlock::refer(std::int64_t position) const {
  FeatureBlock block;
  block.samples = samples;
  block.elsewhere = elsewhere;
  block.headers.push_back(headers[static_cast<std::size_t>(position)]);
  return block;
}

void FeatureBlock::append_feature(const FeatureView& from) {
  FeatureHeader header = *from.header;
  header.stride = 1;
  const auto put = [this](const void* bytes, std::int64_t size, std::size_t alignment = kCacheLine) {
    const std::int64_t offset = append(size, alignment);
    std::memcpy(payload.data() + offset, bytes, static_cast<std::size_t>(size));
    return offset;
  };
  switch (header.encoding) {
    case Encoding::kFloat32:
      header.offset = append(samples * static_cast<std::int64_t>(sizeof(float)));
      copy_strided(from.float32(), from.header->stride, samples,
                   reinterpret_cast<float*>(payload.data() + header.offset));
      break;
    case Encoding::kFloat64:
      header.offset = append(samples * static_cast<std::int64_t>(sizeof(double)));
      copy_strided(from.float64(), from.header->stride, samples,
                   reinterpret_cast<double*>(payload.data() + header.offset));
      break;
    case Encoding::kCodes:
      header.offset = put(from.data, samples);
      break;
    case Encoding::kPacked2:
      header.offset = put(from.data, packed_bytes(samples));
      break;
    case Encoding::kSparseCodes:
    case Encoding::kSparseValues:
      header.offset = put(from.data, header.stored * sample_number_bytes(samples), kShortAlignment);
      header.entries_offset =
          put(from.entries, header.stored * (header.encoding == Encoding::kSparseCodes ? 1 : 8), kShortAlignment);
      break;
  }
  if (header.levels > 0) {
    header.levels_offset =
        put(from.levels.data(), static_cast<std::int64_t>(from.levels.size_bytes()), kShortAlignment);
  }
  headers.push_back(header);
}

void append_features(std::span<const FeatureView> from, std::span<FeatureBlock* const> to) {
  struct Strided {
    const float* from;
    float* to;
  };
  std::vector<Strided> strided;
  std::int64_t samples = 0;
  for (std::size_t t = 0; t < from.size(); ++t) {
    FeatureHeader header = *from[t].header;
    if (header.stride != kStripWidth || header.encoding != Encoding::kFloat32) {
      to[t]->append_feature(from[t]);
      continue;
    }
    samples = from[t].samples;
    header.stride = 1;
    header.offset = to[t]->append(samples * static_cast<std::int64_t>(sizeof(float)));
    to[t]->headers.push_back(header);
    strided.push_back({from[t].float32(), reinterpret_cast<float*>(to[t]->payload.data() + header.offset)});
  }
  constexpr std::int64_t kRows = 128;  // of several strips fit the first-level cache
  for (std::int64_t row = 0; row < samples; row += kRows) {
    const std::int64_t rows = std::min(kRows, samples - row);
    for (const Strided& one : strided) copy_strided(one.from + row * kStripWidth, kStripWidth, rows, one.to + row);
  }
}

}  // namespace land
