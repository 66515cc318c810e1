#include "land/blocks/cut_samples.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/checksum.h"
#include "land/blocks/encode_column.h"
#include "land/blocks/encode_sparse.h"
#include "land/blocks/packed_counts.h"

namespace land {

SampleCut::SampleCut(std::int64_t samples, std::shared_ptr<const SampleNumbers> kept, bool is_signed)
    : numbers_(std::move(kept)),
      kept_(std::ssize(*numbers_)),
      position_(static_cast<std::size_t>(samples), -1),
      multipliers_(checksum_multipliers(kept_)),
      everyone_(packed_class_masks(std::vector<std::uint16_t>(static_cast<std::size_t>(kept_), 0), 1)) {
  for (std::int64_t i = 0; i < kept_; ++i) {
    position_[static_cast<std::size_t>((*numbers_)[static_cast<std::size_t>(i)])] = i;
  }
  if (is_signed) signer_.emplace(kept_);
}

void SampleCut::cut(const FeatureBlock& from, FeatureBlock& to) const {
  static thread_local StripRun run;
  to.clear(kept_);
  to.headers.reserve(from.headers.size());
  const std::byte* strip = nullptr;  // the one that was put last
  for (std::int64_t k = 0; k < from.features(); ++k) {
    const FeatureView feature = from.view(k);
    const FeatureHeader& header = *feature.header;
    if (header.encoding != Encoding::kFloat32 || header.stride != kStripWidth || header.nominal) {
      append(feature, header.id, to);
      continue;
    }
    const std::int64_t lane = header.offset / static_cast<std::int64_t>(sizeof(float)) % kStripWidth;
    const std::byte* const base = feature.data - lane * static_cast<std::int64_t>(sizeof(float));
    if (base != strip) put_strip(reinterpret_cast<const float*>(base), run, to);
    strip = base;
    if (run.append(lane, header.id, to)) {
      finish(header, to);
    } else {
      append(feature, header.id, to);
    }
  }
}

void SampleCut::append(const FeatureView& from, std::int64_t id, FeatureBlock& to) const {
  const Encoding encoding = from.header->encoding;
  const bool nominal = from.header->nominal;
  if (encoding == Encoding::kPacked2 && !nominal) {
    append_packed(from, id, to);
  } else if (is_sparse(encoding) && from.levels[0] == 0.0 && !nominal) {
    if (are_sample_numbers_short(kept_)) {
      append_sparse<std::uint16_t>(from, id, to);
    } else {
      append_sparse<std::int32_t>(from, id, to);
    }
  } else if (encoding != Encoding::kFloat32 || nominal || !append_floats(from, id, to)) {
    append_values(from, id, to);
  }
  finish(*from.header, to);
}

void SampleCut::finish(const FeatureHeader& from, FeatureBlock& to) const {
  if (from.nominal) {
    const std::int64_t last = to.features() - 1;
    if (to.headers.back().encoding != Encoding::kCodes) encode_categories(last, to);  // no more than there were
    to.headers.back().nominal = true;
  } else if (signer_) {
    to.headers.back().signature = signer_->signature(to.view(to.features() - 1));
  }
}

void SampleCut::append_packed(const FeatureView& from, std::int64_t id, FeatureBlock& to) const {
  FeatureHeader header;
  header.id = id;
  header.encoding = Encoding::kPacked2;
  header.offset = to.append(packed_bytes(kept_));
  auto* const packed = reinterpret_cast<std::uint8_t*>(to.payload.data() + header.offset);
  std::fill_n(packed, packed_bytes(kept_), std::uint8_t{0});
  const std::uint8_t* const calls = from.packed();
  const auto samples = static_cast<std::size_t>(kept_);
  for (std::size_t i = 0; i < samples; ++i) {
    const auto sample = static_cast<std::size_t>((*numbers_)[i]);
    const unsigned call = calls[sample / 4] >> (2 * (sample % 4)) & 3U;
    packed[i / 4] = static_cast<std::uint8_t>(packed[i / 4] | call << (2 * (i % 4)));
  }
  const PackedSummary summary =
      summarise_packed(packed, samples, everyone_, std::span(multipliers_).first((samples + 31) / 32));
  header.missing = summary.missing;
  header.constant = summary.values < 2;
  header.checksum = summary.checksum;
  to.headers.push_back(header);
}

template <class Row>
void SampleCut::append_sparse(const FeatureView& from, std::int64_t id, FeatureBlock& to) const {
  static thread_local std::vector<Row> rows;
  static thread_local std::vector<double> values;
  rows.clear();
  values.clear();
  const bool coded = from.header->encoding == Encoding::kSparseCodes;
  from.visit_stored_samples([&](auto stored) {
    for (std::size_t e = 0; e < stored.size(); ++e) {
      const std::int64_t row = position_[static_cast<std::size_t>(stored[e])];
      if (row < 0) continue;
      rows.push_back(static_cast<Row>(row));
      values.push_back(coded ? from.levels[from.stored_codes()[e]] : from.stored_values()[e]);
    }
  });
  encode_sparse(std::span<const Row>(rows), std::span<const double>(values), multipliers_, id, to);
}

bool SampleCut::append_floats(const FeatureView& from, std::int64_t id, FeatureBlock& to) const {
  static thread_local std::vector<float> values;
  values.resize(static_cast<std::size_t>(kept_));
  const float* const all = from.float32();
  const std::int64_t stride = from.header->stride;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = all[(*numbers_)[i] * stride];
  return encode_floats(values, multipliers_, id, to);
}

void SampleCut::append_values(const FeatureView& from, std::int64_t id, FeatureBlock& to) const {
  static thread_local std::vector<double> all;
  static thread_local std::vector<double> values;
  all.resize(static_cast<std::size_t>(from.samples));
  values.resize(static_cast<std::size_t>(kept_));
  from.copy_values(all);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = all[static_cast<std::size_t>((*numbers_)[i])];
  encode_column(values, multipliers_, id, to);
}

void SampleCut::put_strip(const float* strip, StripRun& run, FeatureBlock& to) const {
  static thread_local AlignedBuffer<float> rows;
  rows.resize(static_cast<std::size_t>(kept_ * kStripWidth));
  for (std::int64_t i = 0; i < kept_; ++i) {
    std::memcpy(rows.data() + i * kStripWidth, strip + (*numbers_)[static_cast<std::size_t>(i)] * kStripWidth,
                kCacheLine);
  }
  run.put(rows.data(), kStripWidth, kStripWidth, multipliers_, to);
}

}  // namespace land
