#include "land/store/store_source.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "land/base/error.h"
#include "land/blocks/check_feature.h"
#include "land/files/mapped_pages.h"

namespace land {

StoreSource::StoreSource(Bytes file, std::string name, StoreContents contents)
    : file_(std::move(file)),
      name_(std::move(name)),
      contents_(std::move(contents)),
      states_(std::make_unique<BlockState[]>(contents_.blocks.size())) {}

std::size_t StoreSource::block_of(std::int64_t number) const {
  const auto behind = std::upper_bound(contents_.blocks.begin(), contents_.blocks.end(), number,
                                       [](std::int64_t k, const StoreBlock& block) { return k < block.first; });
  return static_cast<std::size_t>(behind - contents_.blocks.begin()) - 1;
}

std::span<const std::byte> StoreSource::payload(std::size_t block) const {
  const StoreBlock& place = contents_.blocks[block];
  return file_.view.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.bytes));
}

void StoreSource::check_block(std::size_t block) const {
  const StoreBlock& place = contents_.blocks[block];
  const std::span<const std::byte> bytes = payload(block);
  if (file_.mapped) load_pages(bytes);
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  if (checksum != place.checksum) {
    throw InputError(
        fmt::format("{}: block {} (features {} to {}) is damaged: its checksum is {:016x}, not {:016x}; convert the "
                    "data again",
                    name_, block, place.first, end_of(block) - 1, checksum, place.checksum));
  }
  FeatureCheck check;
  FeatureHeader header;
  for (std::int64_t k = place.first; k < end_of(block); ++k) {
    contents_.headers.read(k, header);
    if (const char* fault = contents_.headers.fault(header, place)) {
      throw InputError(fmt::format("{}: the store is damaged: {}; convert the data again", name_, fault));
    }
    StoreHeaders::place(header, place);
    if (check.holds(view_of(header, contents_.samples, file_.view.data()))) continue;
    throw InputError(fmt::format(
        "{}: block {} is damaged: feature {} is not what its header says; convert the data again", name_, block, k));
  }
}

void StoreSource::verify(std::size_t block) const {
  BlockState& state = states_[block];
  if (state.verified.load(std::memory_order_acquire)) return;
  const std::scoped_lock lock(state.mutex);
  if (state.verified.load(std::memory_order_relaxed)) return;
  check_block(block);
  state.verified.store(true, std::memory_order_release);
}

void StoreSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  block.clear(contents_.samples);
  block.elsewhere = file_.view.data();
  block.headers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t feature = first; feature < first + count;) {
    const std::size_t in = block_of(number_of(feature));
    verify(in);
    for (; feature < first + count && number_of(feature) < end_of(in); ++feature) {
      FeatureHeader& header = block.headers.emplace_back();
      contents_.headers.read(number_of(feature), header);
      StoreHeaders::place(header, contents_.blocks[in]);
      header.id = feature;
    }
  }
}

const Paging& StoreSource::paging() const {
  if (!file_.mapped) return FeatureSource::paging();
  return *this;
}

std::span<const std::byte> StoreSource::bytes_of(std::int64_t first, std::int64_t count) const {
  if (count < 1) return {};
  // What features point at stands in their order, each one's values first. Nothing is verified here.
  const std::int64_t last = number_of(first + count - 1);
  const auto begin_of = [this](std::int64_t number) {
    const StoreBlock& place = contents_.blocks[block_of(number)];
    FeatureHeader header;
    contents_.headers.read(number, header);
    return place.offset + std::clamp(header.offset, std::int64_t{0}, place.bytes);
  };
  const std::size_t in = block_of(last);
  const std::int64_t from = begin_of(number_of(first));
  const std::int64_t to =
      last + 1 < end_of(in) ? begin_of(last + 1) : contents_.blocks[in].offset + contents_.blocks[in].bytes;
  if (from >= to) return {};
  return file_.view.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
}

void StoreSource::gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  gather_copies(ids, block);
  if (!file_.mapped) return;
  // All of a block was touched if it had to be verified.
  for (const std::int64_t id : ids) release_pages(payload(block_of(number_of(id))), file_.view);
}

void StoreSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(contents_.samples);
  block.elsewhere = file_.view.data();
  FeatureBlock one;
  for (const std::int64_t id : ids) {
    read(id, 1, one);
    if (one.headers[0].stride != 1) return gather_copies(ids, block);  // a strip is not for a single feature
    block.headers.push_back(one.headers[0]);
  }
}

void StoreSource::gather_copies(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(contents_.samples);
  FeatureBlock one;
  for (const std::int64_t id : ids) {
    read(id, 1, one);
    block.append_feature(one.view(0));
  }
}

}  // namespace land
