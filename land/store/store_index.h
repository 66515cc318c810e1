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
#include "land/formats/table.h"

namespace land {

inline constexpr std::int64_t kStoreVersion = 1;
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

// Everything that is kept of each feature, as visit(name of the dataset, accessor of the member).
template <class Visit>
void for_each_field(const Visit& visit) {
  visit("encoding", [](auto& header) -> auto& { return header.encoding; });
  visit("constant", [](auto& header) -> auto& { return header.constant; });
  visit("stride", [](auto& header) -> auto& { return header.stride; });
  visit("levels", [](auto& header) -> auto& { return header.levels; });
  visit("offset", [](auto& header) -> auto& { return header.offset; });
  visit("levels_offset", [](auto& header) -> auto& { return header.levels_offset; });
  visit("stored", [](auto& header) -> auto& { return header.stored; });
  visit("entries_offset", [](auto& header) -> auto& { return header.entries_offset; });
  visit("missing", [](auto& header) -> auto& { return header.missing; });
  visit("checksum", [](auto& header) -> auto& { return header.checksum; });
  visit("signature", [](auto& header) -> auto& { return header.signature; });
  visit("minimum", [](auto& header) -> auto& { return header.stats.minimum; });
  visit("maximum", [](auto& header) -> auto& { return header.stats.maximum; });
  visit("deviation", [](auto& header) -> auto& { return header.stats.deviation; });
  visit("deviation_error", [](auto& header) -> auto& { return header.stats.deviation_error; });
}

struct StoreBlock {
  std::int64_t first = 0;   // feature
  std::int64_t offset = 0;  // of the payload, in the file
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;  // XXH3 of the payload
};

// What a store holds beside its payload.
struct StoreContents {
  std::int64_t samples = 0;
  std::uint64_t fingerprint = 0;
  Missing missing_default = Missing::kError;
  std::vector<StoreBlock> blocks;
  std::vector<FeatureHeader> headers;  // ids are numbers in the store, offsets count from the start of the file
  std::vector<std::int32_t> block_of;  // of each feature
  std::vector<std::int64_t> nominal;   // features that are, ascending
  std::vector<std::string> feature_names;
  std::vector<std::string> sample_ids;
  std::optional<TargetColumn> target;
};

// By the first bytes (HDF5's) and the last ones.
bool is_store(std::span<const std::byte> file);
// An HDF5 file that began as a store, but whose end is missing or was changed by another program.
bool was_store(std::span<const std::byte> file);

// Checks every size and place; payloads are not looked at. `file` is aligned to a cache line. Throws InputError.
StoreContents read_store_index(std::span<const std::byte> file, const std::string& name);

}  // namespace land
