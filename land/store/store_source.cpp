#include "land/store/store_source.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "land/blocks/mapped_pages.h"
#include "land/error.h"
#include "land/store/check_feature.h"

namespace land {

StoreSource::StoreSource(Bytes file, std::string name, StoreContents contents)
    : file_(std::move(file)),
      name_(std::move(name)),
      contents_(std::move(contents)),
      has_signatures_(std::any_of(contents_.headers.begin(), contents_.headers.end(),
                                  [](const FeatureHeader& header) { return header.signature != 0; })),
      verified_(std::make_unique<std::once_flag[]>(contents_.blocks.size())) {}

void StoreSource::check_block(std::size_t block) const {
  const StoreBlock& place = contents_.blocks[block];
  const std::int64_t end =
      block + 1 < contents_.blocks.size() ? contents_.blocks[block + 1].first : std::ssize(contents_.headers);
  const std::uint64_t checksum = XXH3_64bits(file_.view.data() + place.offset, static_cast<std::size_t>(place.bytes));
  if (checksum != place.checksum) {
    throw InputError(
        fmt::format("{}: block {} (features {} to {}) is damaged: its checksum is {:016x}, not {:016x}; convert the "
                    "data again",
                    name_, block, place.first, end - 1, checksum, place.checksum));
  }
  FeatureBlock features;
  features.samples = contents_.samples;
  features.elsewhere = file_.view.data();
  features.headers.assign(contents_.headers.begin() + place.first, contents_.headers.begin() + end);
  FeatureCheck check;
  for (std::int64_t k = 0; k < features.features(); ++k) {
    if (check.holds(features.view(k))) continue;
    throw InputError(
        fmt::format("{}: block {} is damaged: feature {} is not what its header says; convert the data again", name_,
                    block, place.first + k));
  }
}

void StoreSource::verify(std::size_t block) const {
  std::call_once(verified_[block], [this, block] { check_block(block); });
}

void StoreSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(contents_.samples);
  block.elsewhere = file_.view.data();
  block.headers.reserve(static_cast<std::size_t>(count));
  std::int32_t verified = -1;
  for (std::int64_t feature = first; feature < first + count; ++feature) {
    const std::size_t number = number_of(feature);
    if (contents_.block_of[number] != verified) {
      verified = contents_.block_of[number];
      verify(static_cast<std::size_t>(verified));
    }
    block.headers.push_back(contents_.headers[number]);
    block.headers.back().id = feature;
  }
}

std::span<const std::byte> StoreSource::bytes_of(std::int64_t first, std::int64_t count) const {
  if (!file_.mapped || count < 1) return {};
  // What features point at stands in their order, each one's values first.
  const std::size_t begin = number_of(first);
  const std::size_t last = number_of(first + count - 1);
  const std::int64_t from = contents_.headers[begin].offset;
  std::int64_t to = block_of(last).offset + block_of(last).bytes;
  if (last + 1 < contents_.headers.size() && contents_.block_of[last + 1] == contents_.block_of[last]) {
    to = contents_.headers[last + 1].offset;
  }
  return from < to ? file_.view.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from))
                   : std::span<const std::byte>();
}

void StoreSource::prefetch(std::int64_t first, std::int64_t count) const { prefetch_pages(bytes_of(first, count)); }

void StoreSource::release(std::int64_t first, std::int64_t count) const {
  release_pages(bytes_of(first, count), file_.view);
}

void StoreSource::gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  gather(ids, block);
  if (!file_.mapped) return;
  // All of a block was touched if it had to be verified.
  for (const std::int64_t id : ids) {
    const StoreBlock& place = block_of(number_of(id));
    release_pages(file_.view.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.bytes)),
                  file_.view);
  }
}

void StoreSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(contents_.samples);
  FeatureBlock one;
  for (const std::int64_t id : ids) {
    read(id, 1, one);
    block.append_feature(one.view(0));
  }
}

}  // namespace land
