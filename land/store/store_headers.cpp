#include "land/store/store_headers.h"

#include <cmath>
#include <cstring>
#include <exception>

namespace land {
namespace {

// Ends the check of a header, with what is wrong.
class Fault : public std::exception {
 public:
  explicit Fault(const char* words) : words_(words) {}
  const char* what() const noexcept override { return words_; }

 private:
  const char* words_;
};

void require(bool holds, const char* what) {
  if (!holds) throw Fault(what);
}

void check_stats(const FeatureHeader& header) {
  if (header.constant) return;
  const FeatureStats& stats = header.stats;
  require(stats.deviation > 0.0 && std::isfinite(stats.deviation) && stats.deviation_error >= 0.0 &&
              stats.deviation_error < 1.0 && stats.minimum < stats.maximum,
          "a feature has impossible statistics");
}

void check(const FeatureHeader& header, std::int64_t n, std::int64_t block_bytes) {
  const Encoding encoding = header.encoding;
  const bool strip = header.stride == kStripWidth;
  const auto line = static_cast<std::int64_t>(kCacheLine);
  const auto within = [&](std::int64_t offset, std::int64_t bytes, std::size_t alignment = kCacheLine) {
    require(offset >= 0 && offset % static_cast<std::int64_t>(alignment) == 0 && offset <= block_bytes &&
                bytes <= block_bytes - offset,
            "a feature is not within its block");
  };
  require(encoding <= Encoding::kSparseValues, "a feature has an unknown encoding");
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
      within(header.offset, header.stored * sample_number_bytes(n), kShortAlignment);
      within(header.entries_offset, header.stored * each, kShortAlignment);
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
  if (header.levels > 0) {
    within(header.levels_offset, header.levels * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
  }
}

}  // namespace

void StoreHeaders::read(std::int64_t k, FeatureHeader& header) const {
  header.id = k;
  header.nominal = false;
  header.stats = {};
  std::size_t field = 0;
  for_each_field([&](const char*, auto member, Presence) {
    StoredField<decltype(member)> value{};
    const std::byte* numbers = fields_[field++];
    // Statistics, which strips alone have, are the only ones that are not whole numbers.
    if (std::is_same_v<decltype(value), double> && header.stride != kStripWidth) return;
    if (numbers != nullptr) std::memcpy(&value, numbers + static_cast<std::size_t>(k) * sizeof(value), sizeof(value));
    auto& to = member(header);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(to)>, bool>) {
      to = value != 0;
    } else {
      to = static_cast<std::remove_cvref_t<decltype(to)>>(value);
    }
  });
}

void StoreHeaders::place(FeatureHeader& header, const StoreBlock& block) {
  if (!is_sparse(header.encoding)) header.entries_offset = 0;
  if (header.levels == 0) header.levels_offset = 0;
  for (std::int64_t* place : {&header.offset, &header.entries_offset, &header.levels_offset}) *place += block.offset;
}

const char* StoreHeaders::fault(const FeatureHeader& header, const StoreBlock& block) const {
  try {
    check(header, samples_, block.bytes);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return nullptr;
}

}  // namespace land
