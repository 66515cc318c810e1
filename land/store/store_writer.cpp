#include "land/store/store_writer.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "land/base/checksum.h"
#include "land/base/error.h"

namespace land {
namespace {

template <class T>
constexpr Hdf5Type type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Hdf5Type::kUint8;
  if constexpr (std::is_same_v<T, std::int32_t>) return Hdf5Type::kInt32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Hdf5Type::kUint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Hdf5Type::kInt64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Hdf5Type::kUint64;
  if constexpr (std::is_same_v<T, double>) return Hdf5Type::kFloat64;
}

}  // namespace

StoreWriter::StoreWriter(const std::string& path, std::int64_t samples, std::int64_t features)
    : file_(path), samples_(samples) {
  headers_.reserve(static_cast<std::size_t>(features));
  block_of_.reserve(static_cast<std::size_t>(features));
  if (file_.temporary().empty()) {
    throw InputError(fmt::format("{}: a store cannot be written to a pipe or a device", path));
  }
  hdf5_.emplace(file_.temporary(), path);
  hdf5_->add_attribute("format", kStoreFormat);
  hdf5_->add_attribute("format_version", kStoreVersion);
  for (const char* group : {"blocks", "features", "block"}) hdf5_->add_group(group);
}

void StoreWriter::append(const FeatureBlock& block) {
  const auto number = std::ssize(blocks_);
  StoreBlock entry;
  entry.first = std::ssize(headers_);
  entry.bytes = static_cast<std::int64_t>(block.payload.size());
  entry.offset =
      hdf5_->add_dataset(fmt::format("blocks/{}", number), Hdf5Type::kUint8, std::max(entry.bytes, kHdf5Page));
  entry.checksum = XXH3_64bits(block.payload.data(), block.payload.size());
  file_.write_at(entry.offset, {block.payload.data(), block.payload.size()});
  blocks_.push_back(entry);
  headers_.insert(headers_.end(), block.headers.begin(), block.headers.end());
  block_of_.resize(headers_.size(), number);
  bytes_ += entry.bytes;
}

void StoreWriter::put_bytes(const std::string& name, std::int64_t offset, std::span<const std::byte> bytes) {
  file_.write_at(offset, bytes);
  StoreEntry entry{};
  std::memcpy(entry.name, name.data(), std::min(name.size(), sizeof(entry.name)));
  entry.offset = offset;
  entry.bytes = static_cast<std::int64_t>(bytes.size());
  entry.checksum = XXH3_64bits(bytes.data(), bytes.size());
  entries_.push_back(entry);
}

template <class T>
void StoreWriter::put(const std::string& name, std::span<const T> values) {
  put_bytes(name, hdf5_->add_dataset(name, type_of<T>(), std::ssize(values)), std::as_bytes(values));
}

void StoreWriter::put_texts(const std::string& name, std::span<const std::string> texts) {
  constexpr std::size_t kLongest = 65'535;
  std::size_t width = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > kLongest) {
      throw InputError(fmt::format("{}: {}: number {} (counted from 0) has {} bytes, more than the {} a store holds",
                                   file_.path(), name, i, texts[i].size(), kLongest));
    }
    width = std::max(width, texts[i].size());
  }
  std::vector<std::byte> padded(texts.size() * width, std::byte{0});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::memcpy(padded.data() + i * width, texts[i].data(), texts[i].size());
  }
  put_bytes(name, hdf5_->add_dataset(name, Hdf5Type::kText, std::ssize(texts), width), padded);
}

std::uint64_t StoreWriter::commit(const StoreLabels& labels) {
  for_each_field([this](const char* name, auto member, Presence presence) {
    using Stored = StoredField<decltype(member)>;
    std::vector<Stored> values;
    values.reserve(headers_.size());
    for (const FeatureHeader& header : headers_) values.push_back(static_cast<Stored>(member(header)));
    const bool zero = std::all_of(values.begin(), values.end(), [](Stored value) { return value == Stored{}; });
    if (!zero || presence == Presence::kAlways) put<Stored>(fmt::format("features/{}", name), values);
  });
  put<std::int64_t>("features/block", block_of_);
  if (std::any_of(headers_.begin(), headers_.end(), [](const FeatureHeader& header) { return header.nominal; })) {
    std::vector<std::uint8_t> nominal;
    for (const FeatureHeader& header : headers_) nominal.push_back(header.nominal ? 1 : 0);
    put<std::uint8_t>("features/nominal", nominal);
  }
  if (!labels.feature_names.empty()) put_texts("features/name", labels.feature_names);
  const auto put_of_blocks = [this](const char* name, auto member) {
    std::vector<std::remove_cvref_t<decltype(blocks_[0].*member)>> values;
    for (const StoreBlock& block : blocks_) values.push_back(block.*member);
    put<typename decltype(values)::value_type>(name, values);
  };
  put_of_blocks("block/first", &StoreBlock::first);
  put_of_blocks("block/offset", &StoreBlock::offset);
  put_of_blocks("block/bytes", &StoreBlock::bytes);
  put_of_blocks("block/checksum", &StoreBlock::checksum);
  if (!labels.sample_ids.empty()) {
    hdf5_->add_group("samples");
    put_texts("samples/id", labels.sample_ids);
  }
  if (labels.target != nullptr) {
    hdf5_->add_group("target");
    put_texts("target/name", {&labels.target->name, 1});
    if (labels.target->is_text()) {
      put_texts("target/text", labels.target->text);
    } else {
      put<double>("target/numbers", labels.target->numbers);
    }
    constexpr std::uint8_t kYes = 1;
    if (labels.target->categorical) put<std::uint8_t>("target/categorical", {&kYes, 1});
  }

  std::vector<std::uint32_t> checksums;
  checksums.reserve(headers_.size());
  for (const FeatureHeader& header : headers_) checksums.push_back(header.checksum);
  const std::uint64_t fingerprint = fingerprint_of(samples_, checksums);
  hdf5_->add_attribute("features", std::ssize(headers_));
  hdf5_->add_attribute("samples", samples_);
  hdf5_->add_attribute("fingerprint", fmt::format("{:016x}", fingerprint));
  hdf5_->add_attribute("missing_default", to_string(labels.missing_default));
  hdf5_->add_attribute("complete", 1);
  hdf5_->close();
  put_index(fingerprint, labels.missing_default);
  file_.commit();
  return fingerprint;
}

void StoreWriter::put_index(std::uint64_t fingerprint, Missing missing_default) {
  StoreFooter footer{};
  footer.version = kStoreVersion;
  footer.features = std::ssize(headers_);
  footer.samples = samples_;
  footer.blocks = std::ssize(blocks_);
  footer.fingerprint = fingerprint;
  footer.missing_default = missing_default == Missing::kIgnore ? 1 : 0;
  footer.entries = std::ssize(entries_);
  std::memcpy(footer.magic, kStoreMagic.data(), sizeof(footer.magic));
  const std::size_t entry_bytes = entries_.size() * sizeof(StoreEntry);
  std::vector<std::byte> index(entry_bytes + sizeof(StoreFooter));
  std::memcpy(index.data(), entries_.data(), entry_bytes);
  std::memcpy(index.data() + entry_bytes, &footer, sizeof(footer));
  footer.checksum = XXH3_64bits(index.data(), entry_bytes + offsetof(StoreFooter, checksum));
  std::memcpy(index.data() + entry_bytes, &footer, sizeof(footer));
  file_.write_at(file_.size(), index);
}

}  // namespace land
