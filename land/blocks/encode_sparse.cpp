#include "land/blocks/encode_sparse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "land/blocks/checksum.h"
#include "land/blocks/distinct_values.h"
#include "land/blocks/encode_column.h"

namespace land {
namespace {

constexpr int kMostCodes = 255;  // besides that of zero

// Small counts, the usual case: the value is its own code. Returns the largest, or 0 if a value is no such count.
template <class T>
int code_counts(std::span<const T> values, std::uint8_t* codes) {
  int largest = 0;
  int others = 0;  // values that are no counts; branches would keep the loop from being vectorised
  for (std::size_t e = 0; e < values.size(); ++e) {
    const int number = static_cast<int>(std::min(std::max(T{0}, values[e]), static_cast<T>(kMostCodes)));
    others |= static_cast<int>(static_cast<T>(number) != values[e]);
    largest = std::max(largest, number);
    codes[e] = static_cast<std::uint8_t>(number);
  }
  if (others != 0) return 0;
  // A wide gap would be paid for with empty levels.
  return largest <= 16 || largest <= 2 * std::ssize(values) ? largest : 0;
}

}  // namespace

template <class T>
void encode_sparse(std::span<const std::int32_t> rows, std::span<const T> values,
                   std::span<const std::uint32_t> multipliers, std::int64_t id, FeatureBlock& block) {
  const auto zeros = std::count(values.begin(), values.end(), T{0});
  const std::int64_t stored = std::ssize(rows) - zeros;
  if (!sparse_pays(stored, block.samples)) {
    static thread_local std::vector<double> dense;
    dense.assign(static_cast<std::size_t>(block.samples), 0.0);
    for (std::size_t e = 0; e < rows.size(); ++e)
      dense[static_cast<std::size_t>(rows[e])] = static_cast<double>(values[e]);
    encode_column(dense, multipliers, id, block);
    return;
  }
  FeatureHeader header;
  header.id = id;
  header.stored = stored;
  header.offset = block.append(stored * static_cast<std::int64_t>(sizeof(std::int32_t)), kShortAlignment);
  auto* to = reinterpret_cast<std::int32_t*>(block.payload.data() + header.offset);
  static thread_local std::vector<T> kept;
  if (zeros == 0) {
    std::copy(rows.begin(), rows.end(), to);
  } else {
    kept.clear();
    for (std::size_t e = 0; e < rows.size(); ++e) {
      if (values[e] == T{0}) continue;
      *to++ = rows[e];
      kept.push_back(values[e]);
    }
    values = kept;
  }

  // Level 0 is zero.
  static thread_local std::vector<std::uint8_t> codes;
  static thread_local std::vector<double> levels;
  codes.resize(values.size());
  levels.assign(1, 0.0);
  header.encoding = Encoding::kSparseCodes;
  if (const int largest = code_counts(values, codes.data()); largest > 0) {
    for (int level = 1; level <= largest; ++level) levels.push_back(level);
  } else {
    static thread_local DistinctValues<kMostCodes> distinct;
    distinct.clear();
    for (std::size_t e = 0; e < values.size(); ++e) {
      const int code = distinct.code(static_cast<double>(values[e]));
      if (code < 0) {
        header.encoding = Encoding::kSparseValues;
        break;
      }
      codes[e] = static_cast<std::uint8_t>(code + 1);
    }
    if (header.encoding == Encoding::kSparseCodes) {
      levels.insert(levels.end(), distinct.values().begin(), distinct.values().end());
    }
  }

  const auto put = [&](const auto& items) {
    const auto bytes = static_cast<std::int64_t>(items.size() * sizeof(items[0]));
    const std::int64_t offset = block.append(bytes, kShortAlignment);
    std::copy(items.begin(), items.end(),
              reinterpret_cast<std::remove_cvref_t<decltype(items[0])>*>(block.payload.data() + offset));
    return offset;
  };
  if (header.encoding == Encoding::kSparseCodes) {
    header.entries_offset = put(codes);
  } else {
    header.entries_offset = block.append(stored * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
    std::copy(values.begin(), values.end(), reinterpret_cast<double*>(block.payload.data() + header.entries_offset));
  }
  header.levels = static_cast<std::int32_t>(levels.size());
  header.levels_offset = put(levels);

  const auto* samples = reinterpret_cast<const std::int32_t*>(block.payload.data() + header.offset);
  if (header.encoding == Encoding::kSparseCodes) {
    std::array<std::uint32_t, kMostCodes + 1> words;
    for (std::size_t v = 0; v < levels.size(); ++v) words[v] = checksum_word(levels[v]);
    const std::uint8_t* code = codes.data();
    for (std::int64_t e = 0; e < stored; ++e) {
      header.checksum += words[code[e]] * multipliers[static_cast<std::size_t>(samples[e])];
    }
    const auto missing = std::find_if(levels.begin(), levels.end(), [](double x) { return std::isnan(x); });
    if (missing != levels.end()) {
      header.missing = std::count(codes.begin(), codes.end(), static_cast<std::uint8_t>(missing - levels.begin()));
    }
  } else {
    for (std::size_t e = 0; e < values.size(); ++e) {
      const auto value = static_cast<double>(values[e]);
      header.checksum += checksum_word(value) * multipliers[static_cast<std::size_t>(samples[e])];
      header.missing += std::isnan(value) ? 1 : 0;
    }
  }
  // At least three quarters of the samples are zero.
  header.constant = stored == header.missing;
  block.headers.push_back(header);
}

template void encode_sparse(std::span<const std::int32_t>, std::span<const float>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::int32_t>, std::span<const double>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);

}  // namespace land
