#include "land/subset/subset_source.h"

#include <algorithm>
#include <utility>

#include "land/base/checksum.h"
#include "land/blocks/encode_column.h"
#include "land/blocks/encode_sparse.h"
#include "land/blocks/packed_counts.h"

namespace land {

SubsetSource::SubsetSource(std::shared_ptr<const FeatureSource> source, Subset subset)
    : source_(std::move(source)), subset_(std::move(subset)), samples_(source_->samples()) {
  if (!subset_.samples) return;
  position_.assign(static_cast<std::size_t>(samples_), -1);
  samples_ = std::ssize(*subset_.samples);
  for (std::int64_t i = 0; i < samples_; ++i) {
    position_[static_cast<std::size_t>((*subset_.samples)[static_cast<std::size_t>(i)])] = i;
  }
  multipliers_ = checksum_multipliers(samples_);
  everyone_ = packed_class_masks(std::vector<std::uint16_t>(static_cast<std::size_t>(samples_), 0), 1);
  if (source_->has_signatures()) signer_.emplace(samples_);
}

std::int64_t SubsetSource::features() const {
  return subset_.features ? std::ssize(*subset_.features) : source_->features();
}

std::int64_t SubsetSource::number_of(std::int64_t feature) const {
  return subset_.features ? (*subset_.features)[static_cast<std::size_t>(feature)] : feature;
}

void SubsetSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(samples_);
  block.headers.reserve(static_cast<std::size_t>(count));
  static thread_local FeatureBlock run;
  const std::int64_t last = first + count;
  while (first < last) {
    // Neighbours in the source are read together.
    const std::int64_t number = number_of(first);
    std::int64_t length = 1;
    while (first + length < last && number_of(first + length) == number + length) ++length;
    source_->read(number, length, run);
    for (std::int64_t k = 0; k < length; ++k) add(run.view(k), first + k, block);
    first += length;
  }
}

void SubsetSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(samples_);
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const std::int64_t id : ids) numbers.push_back(number_of(id));
  FeatureBlock found;
  source_->gather(numbers, found);
  for (std::size_t t = 0; t < ids.size(); ++t) add(found.view(static_cast<std::int64_t>(t)), ids[t], block);
}

std::span<const std::byte> SubsetSource::bytes_of(std::int64_t first, std::int64_t count) const {
  if (count < 1) return {};
  return source_->paging().bytes_of(number_of(first), number_of(first + count - 1) - number_of(first) + 1);
}

void SubsetSource::add_packed(const FeatureView& from, std::int64_t id, FeatureBlock& block) const {
  FeatureHeader header;
  header.id = id;
  header.encoding = Encoding::kPacked2;
  header.offset = block.append(packed_bytes(samples_));
  auto* to = reinterpret_cast<std::uint8_t*>(block.payload.data() + header.offset);
  std::fill_n(to, packed_bytes(samples_), std::uint8_t{0});
  const std::uint8_t* calls = from.packed();
  for (std::size_t i = 0; i < static_cast<std::size_t>(samples_); ++i) {
    const auto sample = static_cast<std::size_t>((*subset_.samples)[i]);
    const unsigned call = calls[sample / 4] >> (2 * (sample % 4)) & 3U;
    to[i / 4] = static_cast<std::uint8_t>(to[i / 4] | call << (2 * (i % 4)));
  }
  const PackedSummary summary = summarise_packed(to, static_cast<std::size_t>(samples_), everyone_,
                                                 std::span(multipliers_).first(everyone_.size()));
  header.missing = summary.missing;
  header.constant = summary.values < 2;
  header.checksum = summary.checksum;
  block.headers.push_back(header);
}

template <class Row>
void SubsetSource::add_sparse(const FeatureView& from, std::int64_t id, FeatureBlock& block) const {
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
  encode_sparse(std::span<const Row>(rows), std::span<const double>(values), multipliers_, id, block);
}

void SubsetSource::add_dense(const FeatureView& from, std::int64_t id, FeatureBlock& block) const {
  static thread_local std::vector<double> all;
  all.resize(static_cast<std::size_t>(from.samples));
  from.copy_values(all);
  keep_only(*subset_.samples, all);
  encode_column(all, multipliers_, id, block);
}

void SubsetSource::add(const FeatureView& from, std::int64_t id, FeatureBlock& block) const {
  if (!subset_.samples) {
    block.append_feature(from);
    block.headers.back().id = id;
    return;
  }
  if (from.header->encoding == Encoding::kPacked2) {
    add_packed(from, id, block);
  } else if (is_sparse(from.header->encoding) && from.levels[0] == 0.0) {
    if (are_sample_numbers_short(samples_)) {
      add_sparse<std::uint16_t>(from, id, block);
    } else {
      add_sparse<std::int32_t>(from, id, block);
    }
  } else {
    add_dense(from, id, block);
  }
  if (signer_) block.headers.back().signature = signer_->signature(block.view(block.features() - 1));
}

}  // namespace land
