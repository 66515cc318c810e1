#include "land/blocks/genotype_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "land/base/checksum.h"
#include "land/blocks/packed_counts.h"

namespace land {

GenotypeSource::GenotypeSource(std::span<const std::byte> calls, std::shared_ptr<const void> owner, bool mapped,
                               std::int64_t features, std::int64_t samples)
    : calls_(calls),
      owner_(std::move(owner)),
      mapped_(mapped),
      features_(features),
      samples_(samples),
      everyone_(packed_class_masks(std::vector<std::uint16_t>(static_cast<std::size_t>(samples_), 0), 1)),
      multipliers_(checksum_multipliers((samples_ + 31) / 32)) {}

void GenotypeSource::add(std::int64_t feature, FeatureBlock& block) const {
  FeatureHeader header;
  header.id = feature;
  header.encoding = Encoding::kPacked2;
  header.offset = feature * packed_bytes(samples_);
  const auto* packed = reinterpret_cast<const std::uint8_t*>(calls_.data()) + header.offset;
  const PackedSummary summary = summarise_packed(packed, static_cast<std::size_t>(samples_), everyone_, multipliers_);
  header.missing = summary.missing;
  header.constant = summary.values < 2;
  header.checksum = summary.checksum;
  block.headers.push_back(header);
}

void GenotypeSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(samples_);
  block.elsewhere = calls_.data();
  block.headers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t feature = first; feature < first + count; ++feature) add(feature, block);
}

const Paging& GenotypeSource::paging() const {
  if (!mapped_) return FeatureSource::paging();
  return *this;
}

std::span<const std::byte> GenotypeSource::bytes_of(std::int64_t first, std::int64_t count) const {
  const std::int64_t width = packed_bytes(samples_);
  return calls_.subspan(static_cast<std::size_t>(first * width), static_cast<std::size_t>(count * width));
}

void GenotypeSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(samples_);
  block.elsewhere = calls_.data();
  for (const std::int64_t id : ids) add(id, block);
}

}  // namespace land
