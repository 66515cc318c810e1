// The index behind the HDF5 part of a store: where the bytes of its datasets stand, with their checksums. A store is
// read by it, without HDF5: nothing but the sizes and checksums checked here is trusted. docs/store.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/data/table.h"
#include "land/store/store_headers.h"

namespace land {

inline constexpr std::int64_t kStoreVersion = 2;
inline constexpr std::string_view kStoreFormat = "land store";

// A dataset, and where its bytes are.
struct StoreEntry {
  char name[24];  // "features/offset", padded with zeros
  std::int64_t offset;
  std::int64_t bytes;
  std::uint64_t checksum;  // XXH3
};

// The last bytes of the file, behind the entries.
struct StoreFooter {
  std::int64_t version;
  std::int64_t features;
  std::int64_t samples;
  std::int64_t blocks;
  std::uint64_t fingerprint;
  std::int64_t missing_default;  // 0 error, 1 ignore
  std::int64_t entries;
  std::uint64_t checksum;  // XXH3 of the entries and of the numbers above
  char magic[8];
};
inline constexpr std::string_view kStoreMagic = "LANDSTOR";

// Texts of one width, padded with zeros, where they stand.
struct PaddedTexts {
  std::span<const std::byte> bytes;
  std::size_t width = 1;

  std::int64_t size() const { return static_cast<std::int64_t>(bytes.size() / width); }
  std::string at(std::int64_t number) const;
};

// What a store holds beside its payload. Headers and names are in the file, which has to outlive this.
struct StoreContents {
  std::int64_t samples = 0;
  std::uint64_t fingerprint = 0;
  Missing missing_default = Missing::kError;
  std::vector<StoreBlock> blocks;
  StoreHeaders headers;
  std::vector<std::int64_t> nominal;  // features that are, ascending
  bool has_signatures = false;        // some feature has one
  PaddedTexts feature_names;
  std::vector<std::string> sample_ids;
  std::optional<TargetColumn> target;
};

// By the first bytes (HDF5's) and the last ones.
bool is_store(std::span<const std::byte> file);
// An HDF5 file that began as a store, but whose end is missing or was changed by another program.
bool was_store(std::span<const std::byte> file);

// Checks every size and place; what headers say and payloads are not looked at. `file` is aligned to a cache line.
// Throws InputError.
StoreContents read_store_index(std::span<const std::byte> file, const std::string& name);

}  // namespace land
