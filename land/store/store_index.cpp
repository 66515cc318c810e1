#include "land/store/store_index.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "land/base/error.h"

namespace land {
namespace {

static_assert(std::endian::native == std::endian::little, "stores are little-endian");
static_assert(sizeof(StoreEntry) == 48 && sizeof(StoreFooter) == 72);

constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

class IndexReader {
 public:
  IndexReader(std::span<const std::byte> file, const std::string& name) : file_(file), name_(name) {}

  StoreContents read() {
    read_footer();
    StoreContents contents;
    contents.samples = footer_.samples;
    contents.fingerprint = footer_.fingerprint;
    contents.missing_default = footer_.missing_default == 1 ? Missing::kIgnore : Missing::kError;
    read_blocks(contents);
    contents.headers = headers();
    contents.has_signatures = find("features/signature") != nullptr;
    if (find("features/nominal") != nullptr) {
      const auto nominal = numbers<std::uint8_t>("features/nominal", footer_.features);
      for (std::int64_t k = 0; k < footer_.features; ++k) {
        if (nominal[static_cast<std::size_t>(k)] != 0) contents.nominal.push_back(k);
      }
    }
    contents.feature_names = names("features/name", footer_.features);
    contents.sample_ids = texts("samples/id", footer_.samples);
    if (find("target/name") != nullptr) {
      TargetColumn target;
      target.name = texts("target/name", 1)[0];
      target.text = texts("target/text", footer_.samples);
      if (target.text.empty()) target.numbers = numbers<double>("target/numbers", footer_.samples);
      target.categorical = find("target/categorical") != nullptr;
      contents.target = std::move(target);
    }
    return contents;
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    throw InputError(fmt::format("{}: the store is damaged: {}; convert the data again", name_, what));
  }
  void require(bool holds, const char* what) const {
    if (!holds) damaged(what);
  }

  void read_footer() {
    std::memcpy(&footer_, file_.data() + file_.size() - sizeof(StoreFooter), sizeof(StoreFooter));
    if (footer_.version != kStoreVersion) {
      throw InputError(
          fmt::format("{}: a store of version {}, but this program reads version {}; convert the data again", name_,
                      footer_.version, kStoreVersion));
    }
    constexpr std::int64_t kMostEntries = 64;
    require(footer_.entries >= 0 && footer_.entries <= kMostEntries, "its index has no length");
    const std::size_t bytes = static_cast<std::size_t>(footer_.entries) * sizeof(StoreEntry);
    require(bytes + sizeof(StoreFooter) < file_.size(), "its index has no length");
    const std::byte* begin = file_.data() + file_.size() - sizeof(StoreFooter) - bytes;
    require(XXH3_64bits(begin, bytes + offsetof(StoreFooter, checksum)) == footer_.checksum,
            "the checksum of its index is another");
    entries_.resize(static_cast<std::size_t>(footer_.entries));
    std::memcpy(entries_.data(), begin, bytes);
    // Every feature and every sample takes some bytes of the file, or of the target that comes with it.
    const auto size = static_cast<std::int64_t>(file_.size());
    require(footer_.features > 0 && footer_.features <= size, "its number of features is impossible");
    require(footer_.blocks > 0 && footer_.blocks <= footer_.features, "its number of blocks is impossible");
    require(footer_.samples > 0 && footer_.samples <= std::numeric_limits<std::int32_t>::max(),
            "its number of samples is impossible");
  }

  const StoreEntry* find(std::string_view name) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [name](const StoreEntry& entry) {
      return name == std::string_view(entry.name, strnlen(entry.name, sizeof(entry.name)));
    });
    return found == entries_.end() ? nullptr : &*found;
  }

  std::span<const std::byte> bytes_of(const StoreEntry& entry, std::string_view name) const {
    const auto size = static_cast<std::int64_t>(file_.size());
    if (entry.offset < 0 || entry.bytes < 0 || entry.offset > size || entry.bytes > size - entry.offset) {
      damaged(fmt::format("{} is not within the file", name));
    }
    const auto bytes = file_.subspan(static_cast<std::size_t>(entry.offset), static_cast<std::size_t>(entry.bytes));
    if (XXH3_64bits(bytes.data(), bytes.size()) != entry.checksum) {
      damaged(fmt::format("the checksum of {} is another", name));
    }
    return bytes;
  }

  // The bytes of `count` numbers.
  template <class T>
  const std::byte* column(const std::string& name, std::int64_t count) const {
    const StoreEntry* entry = find(name);
    if (entry == nullptr) damaged(name + " is missing");
    const std::span<const std::byte> bytes = bytes_of(*entry, name);
    if (bytes.size() != static_cast<std::size_t>(count) * sizeof(T)) damaged(name + " has a wrong length");
    return bytes.data();
  }

  template <class T>
  std::vector<T> numbers(const std::string& name, std::int64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), column<T>(name, count), values.size() * sizeof(T));
    return values;
  }

  // Empty when there is no such dataset.
  PaddedTexts names(const std::string& name, std::int64_t count) const {
    const StoreEntry* entry = find(name);
    if (entry == nullptr) return {};
    const std::span<const std::byte> bytes = bytes_of(*entry, name);
    const std::size_t width = bytes.size() / static_cast<std::size_t>(count);
    if (width == 0 || bytes.size() % static_cast<std::size_t>(count) != 0) damaged(name + " has a wrong length");
    return {bytes, width};
  }
  std::vector<std::string> texts(const std::string& name, std::int64_t count) const {
    const PaddedTexts padded = names(name, count);
    std::vector<std::string> values;
    values.reserve(static_cast<std::size_t>(padded.size()));
    for (std::int64_t k = 0; k < padded.size(); ++k) values.push_back(padded.at(k));
    return values;
  }

  void read_blocks(StoreContents& contents) const {
    const auto first = numbers<std::int64_t>("block/first", footer_.blocks);
    const auto offset = numbers<std::int64_t>("block/offset", footer_.blocks);
    const auto bytes = numbers<std::int64_t>("block/bytes", footer_.blocks);
    const auto checksum = numbers<std::uint64_t>("block/checksum", footer_.blocks);
    const auto size = static_cast<std::int64_t>(file_.size());
    for (std::size_t b = 0; b < first.size(); ++b) {
      require(b == 0 ? first[b] == 0 : first[b] > first[b - 1] && first[b] < footer_.features, "its blocks overlap");
      require(offset[b] >= 0 && bytes[b] >= 0 && offset[b] <= size && bytes[b] <= size - offset[b],
              "a block is not within the file");
      require(offset[b] % static_cast<std::int64_t>(kCacheLine) == 0, "a block is not aligned");
      contents.blocks.push_back({first[b], offset[b], bytes[b], checksum[b]});
    }
  }

  // Where every field of the headers stands; what they say is checked when a feature is first used.
  StoreHeaders headers() const {
    StoreHeaders headers(footer_.features, footer_.samples);
    for_each_field([&](const char* field, auto member, Presence presence) {
      const std::string name = fmt::format("features/{}", field);
      const bool absent = presence == Presence::kUnlessZero && find(name) == nullptr;
      headers.add_field(absent ? nullptr : column<StoredField<decltype(member)>>(name, footer_.features));
    });
    return headers;
  }

  std::span<const std::byte> file_;
  const std::string& name_;
  StoreFooter footer_{};
  std::vector<StoreEntry> entries_;
};

bool is_hdf5(std::span<const std::byte> file) {
  return file.size() > kHdf5Magic.size() && std::memcmp(file.data(), kHdf5Magic.data(), kHdf5Magic.size()) == 0;
}

}  // namespace

std::string PaddedTexts::at(std::int64_t number) const {
  const auto place = static_cast<std::size_t>(number) * width;
  const std::string_view padded(reinterpret_cast<const char*>(bytes.data() + place), width);
  return std::string(padded.substr(0, padded.find_last_not_of('\0') + 1));
}

bool is_store(std::span<const std::byte> file) {
  return is_hdf5(file) && file.size() > sizeof(StoreFooter) &&
         std::memcmp(file.data() + file.size() - kStoreMagic.size(), kStoreMagic.data(), kStoreMagic.size()) == 0;
}

bool was_store(std::span<const std::byte> file) {
  // The attribute "format" is among the first things that are written.
  constexpr std::size_t kBeginning = 16'384;
  const std::string_view head(reinterpret_cast<const char*>(file.data()), std::min(file.size(), kBeginning));
  return is_hdf5(file) && head.find(kStoreFormat) != std::string_view::npos;
}

StoreContents read_store_index(std::span<const std::byte> file, const std::string& name) {
  return IndexReader(file, name).read();
}

}  // namespace land
