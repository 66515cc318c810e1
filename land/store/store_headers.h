// What a store keeps of each feature, field by field, used where it stands: a million headers are not made to look at a
// few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "land/blocks/feature_block.h"

namespace land {

// Whether a dataset is there when all its numbers are zero.
enum class Presence : std::uint8_t { kAlways, kUnlessZero };

// Everything that is kept of each feature, as visit(name of the dataset, accessor of the member, presence).
template <class Visit>
void for_each_field(const Visit& visit) {
  visit("encoding", [](auto& header) -> auto& { return header.encoding; }, Presence::kAlways);
  visit("constant", [](auto& header) -> auto& { return header.constant; }, Presence::kAlways);
  visit("stride", [](auto& header) -> auto& { return header.stride; }, Presence::kAlways);
  visit("levels", [](auto& header) -> auto& { return header.levels; }, Presence::kUnlessZero);
  visit("offset", [](auto& header) -> auto& { return header.offset; }, Presence::kAlways);
  visit("levels_offset", [](auto& header) -> auto& { return header.levels_offset; }, Presence::kUnlessZero);
  visit("stored", [](auto& header) -> auto& { return header.stored; }, Presence::kUnlessZero);
  visit("entries_offset", [](auto& header) -> auto& { return header.entries_offset; }, Presence::kUnlessZero);
  visit("missing", [](auto& header) -> auto& { return header.missing; }, Presence::kUnlessZero);
  visit("checksum", [](auto& header) -> auto& { return header.checksum; }, Presence::kAlways);
  visit("signature", [](auto& header) -> auto& { return header.signature; }, Presence::kUnlessZero);
  visit("minimum", [](auto& header) -> auto& { return header.stats.minimum; }, Presence::kUnlessZero);
  visit("maximum", [](auto& header) -> auto& { return header.stats.maximum; }, Presence::kUnlessZero);
  visit("deviation", [](auto& header) -> auto& { return header.stats.deviation; }, Presence::kUnlessZero);
  visit("deviation_error", [](auto& header) -> auto& { return header.stats.deviation_error; }, Presence::kUnlessZero);
}

// How the field that `Member` accesses is stored.
template <class Member>
using StoredField = std::conditional_t<sizeof(std::remove_cvref_t<std::invoke_result_t<Member, FeatureHeader&>>) == 1,
                                       std::uint8_t, std::remove_cvref_t<std::invoke_result_t<Member, FeatureHeader&>>>;

struct StoreBlock {
  std::int64_t first = 0;   // feature
  std::int64_t offset = 0;  // of the payload, in the file
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;  // XXH3 of the payload
};

class StoreHeaders {
 public:
  StoreHeaders() = default;
  StoreHeaders(std::int64_t features, std::int64_t samples) : features_(features), samples_(samples) {}
  // In the order of for_each_field: as many numbers as there are features, or nullptr for zeros.
  void add_field(const std::byte* numbers) { fields_.push_back(numbers); }

  std::int64_t size() const { return features_; }
  // Of feature k, unchecked, in place of what `header` holds; its id is k, its places count from the beginning of its
  // block.
  void read(std::int64_t k, FeatureHeader& header) const;
  // Why a header as read cannot be true; nullptr if it can: everything that it points at is within its block.
  const char* fault(const FeatureHeader& header, const StoreBlock& block) const;
  // Has the places of a header without fault count from the beginning of the file.
  static void place(FeatureHeader& header, const StoreBlock& block);

 private:
  std::int64_t features_ = 0;
  std::int64_t samples_ = 0;
  std::vector<const std::byte*> fields_;
};

}  // namespace land
