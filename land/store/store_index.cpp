#include "land/store/store_index.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "land/error.h"

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
    read_headers(contents);
    if (find("features/nominal") != nullptr) {
      const auto nominal = numbers<std::uint8_t>("features/nominal", footer_.features);
      for (std::int64_t k = 0; k < footer_.features; ++k) {
        if (nominal[static_cast<std::size_t>(k)] != 0) contents.nominal.push_back(k);
      }
    }
    contents.feature_names = texts("features/name", footer_.features);
    contents.sample_ids = texts("samples/id", footer_.samples);
    if (find("target/name") != nullptr) {
      TargetColumn target;
      target.name = texts("target/name", 1)[0];
      target.text = texts("target/text", footer_.samples);
      if (target.text.empty()) target.numbers = numbers<double>("target/numbers", footer_.samples);
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

  template <class T>
  std::vector<T> numbers(const std::string& name, std::int64_t count) const {
    const StoreEntry* entry = find(name);
    if (entry == nullptr) damaged(name + " is missing");
    const std::span<const std::byte> bytes = bytes_of(*entry, name);
    if (bytes.size() != static_cast<std::size_t>(count) * sizeof(T)) damaged(name + " has a wrong length");
    std::vector<T> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  // Empty when there is no such dataset.
  std::vector<std::string> texts(const std::string& name, std::int64_t count) const {
    const StoreEntry* entry = find(name);
    if (entry == nullptr) return {};
    const std::span<const std::byte> bytes = bytes_of(*entry, name);
    const std::size_t width = bytes.size() / static_cast<std::size_t>(count);
    if (width == 0 || bytes.size() % static_cast<std::size_t>(count) != 0) damaged(name + " has a wrong length");
    std::vector<std::string> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::size_t at = 0; at < bytes.size(); at += width) {
      const std::string_view padded(reinterpret_cast<const char*>(bytes.data() + at), width);
      values.emplace_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
    }
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

  void read_headers(StoreContents& contents) const {
    const auto d = static_cast<std::size_t>(footer_.features);
    contents.headers.resize(d);
    for_each_field([&](const char* name, auto member) {
      using Field = std::remove_cvref_t<decltype(member(contents.headers[0]))>;
      using Stored = std::conditional_t<sizeof(Field) == 1, std::uint8_t, Field>;
      const auto values = numbers<Stored>(fmt::format("features/{}", name), footer_.features);
      for (std::size_t k = 0; k < d; ++k) {
        if constexpr (sizeof(Field) == 1) {
          require(values[k] <= (std::is_same_v<Field, bool> ? 1 : static_cast<int>(Encoding::kSparseValues)),
                  "a feature has an unknown encoding");
        }
        member(contents.headers[k]) = static_cast<Field>(values[k]);
      }
    });
    contents.block_of.resize(d);
    const auto block = numbers<std::int64_t>("features/block", footer_.features);
    for (std::size_t b = 0, k = 0; b < contents.blocks.size(); ++b) {
      const std::int64_t end = b + 1 < contents.blocks.size() ? contents.blocks[b + 1].first : footer_.features;
      for (; static_cast<std::int64_t>(k) < end; ++k) {
        require(block[k] == static_cast<std::int64_t>(b), "a feature is in another block");
        contents.block_of[k] = static_cast<std::int32_t>(b);
        FeatureHeader& header = contents.headers[k];
        header.id = static_cast<std::int64_t>(k);
        check(header, contents.blocks[b].bytes);
        if (!is_sparse(header.encoding)) header.entries_offset = 0;
        if (header.levels == 0) header.levels_offset = 0;
        for (std::int64_t* place : {&header.offset, &header.entries_offset, &header.levels_offset}) {
          *place += contents.blocks[b].offset;
        }
      }
    }
  }

  // Whether everything that a header points at is within its block.
  void check(const FeatureHeader& header, std::int64_t block_bytes) const {
    const std::int64_t n = footer_.samples;
    const Encoding encoding = header.encoding;
    const bool strip = header.stride == kStripWidth;
    const auto line = static_cast<std::int64_t>(kCacheLine);
    const auto within = [&](std::int64_t offset, std::int64_t bytes) {
      require(offset >= 0 && offset % line == 0 && offset <= block_bytes && bytes <= block_bytes - offset,
              "a feature is not within its block");
    };
    require(header.stride == 1 || (strip && encoding == Encoding::kFloat32), "a feature has an impossible stride");
    require(header.missing >= 0 && header.missing <= n, "a feature lacks an impossible number of values");
    require(is_sparse(encoding) ? header.stored >= 0 && header.stored <= n : header.stored == 0,
            "a feature has an impossible number of entries");
    switch (encoding) {
      case Encoding::kFloat32:
        if (strip) {
          require(header.offset >= 0 && header.offset % static_cast<std::int64_t>(sizeof(float)) == 0,
                  "a strip is not aligned");
          within(header.offset - header.offset % line, n * line);
          check_stats(header);
        } else {
          within(header.offset, n * static_cast<std::int64_t>(sizeof(float)));
        }
        break;
      case Encoding::kFloat64:
        within(header.offset, n * static_cast<std::int64_t>(sizeof(double)));
        break;
      case Encoding::kCodes:
        within(header.offset, n);
        break;
      case Encoding::kPacked2:
        within(header.offset, packed_bytes(n));
        break;
      case Encoding::kSparseCodes:
      case Encoding::kSparseValues: {
        const std::int64_t each = encoding == Encoding::kSparseCodes ? 1 : static_cast<std::int64_t>(sizeof(double));
        within(header.offset, header.stored * static_cast<std::int64_t>(sizeof(std::int32_t)));
        within(header.entries_offset, header.stored * each);
        break;
      }
    }
    constexpr std::int32_t kMostLevels = 256;
    if (encoding == Encoding::kCodes || encoding == Encoding::kSparseCodes) {
      require(header.levels >= 1 && header.levels <= kMostLevels, "a feature has an impossible number of levels");
    } else {
      require(header.levels == (encoding == Encoding::kSparseValues ? 1 : 0),
              "a feature has an impossible number of levels");
    }
    if (header.levels > 0) within(header.levels_offset, header.levels * static_cast<std::int64_t>(sizeof(double)));
  }

  void check_stats(const FeatureHeader& header) const {
    if (header.constant) return;
    const FeatureStats& stats = header.stats;
    require(stats.deviation > 0.0 && std::isfinite(stats.deviation) && stats.deviation_error >= 0.0 &&
                stats.deviation_error < 1.0 && stats.minimum < stats.maximum,
            "a feature has impossible statistics");
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
