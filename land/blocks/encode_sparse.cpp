#include "land/blocks/encode_sparse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "land/base/checksum.h"
#include "land/blocks/distinct_values.h"
#include "land/blocks/encode_column.h"

namespace land {
namespace {

constexpr int kMostCodes = 255;  // besides that of zero

// The largest of small counts, the usual case, each of which is its own code; 0 if one of them is no such count.
template <class T>
int code_counts(std::span<const T> values, std::uint8_t* codes) {
  int largest = 0;
  int others = 0;  // values that are no counts; branches would keep the loop from being vectorised
  for (std::size_t e = 0; e < values.size(); ++e) {
    const int number = static_cast<int>(std::min(std::max(T{0}, values[e]), static_cast<T>(kMostCodes)));
    others |= static_cast<int>(static_cast<T>(number) != values[e]) | static_cast<int>(number == 0);
    largest = std::max(largest, number);
    codes[e] = static_cast<std::uint8_t>(number);
  }
  if (others != 0) return 0;
  // A wide gap would be paid for with empty levels.
  return largest <= 16 || largest <= 2 * std::ssize(values) ? largest : 0;
}

// The words of 0, 1, 2, ... in a checksum.
constexpr auto kCountWords = [] {
  std::array<std::uint32_t, kMostCodes + 1> words{};
  for (std::size_t v = 0; v < words.size(); ++v) words[v] = checksum_word(static_cast<double>(v));
  return words;
}();

template <class Row>
std::uint32_t checksum_of(std::span<const Row> rows, const std::uint8_t* codes, const std::uint32_t* words,
                          std::span<const std::uint32_t> multipliers) {
  std::uint32_t sum = 0;
  for (std::size_t e = 0; e < rows.size(); ++e) sum += words[codes[e]] * multipliers[static_cast<std::size_t>(rows[e])];
  return sum;
}

// Returns their place.
template <class Row>
std::int64_t put_rows(std::span<const Row> rows, FeatureBlock& block) {
  const std::int64_t stored = std::ssize(rows);
  const std::int64_t offset = block.append(stored * sample_number_bytes(block.samples), kShortAlignment);
  visit_sample_numbers(block.samples, block.payload.data() + offset, stored,
                       [&](auto to) { std::copy(rows.begin(), rows.end(), to.begin()); });
  return offset;
}

// Appends a feature whose values are all small counts. False, and nothing is changed, if they are not, or too many.
template <class Row, class T>
bool encode_counts(std::span<const Row> rows, std::span<const T> values, std::span<const std::uint32_t> multipliers,
                   std::int64_t id, FeatureBlock& block) {
  const std::int64_t stored = std::ssize(rows);
  if (!sparse_pays(stored, block.samples) || stored == 0) return false;
  const std::size_t before = block.payload.size();
  const std::int64_t offset = put_rows(rows, block);
  const std::int64_t entries_offset = block.append(stored, kShortAlignment);
  auto* const codes = reinterpret_cast<std::uint8_t*>(block.payload.data() + entries_offset);
  const int largest = code_counts(values, codes);
  if (largest == 0) {
    block.payload.resize(before);
    return false;
  }
  FeatureHeader& header = block.headers.emplace_back();
  header.id = id;
  header.encoding = Encoding::kSparseCodes;
  header.stored = stored;
  header.offset = offset;
  header.entries_offset = entries_offset;
  header.levels = largest + 1;
  header.checksum = checksum_of(rows, codes, kCountWords.data(), multipliers);
  header.levels_offset = block.append(header.levels * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
  auto* const levels = reinterpret_cast<double*>(block.payload.data() + header.levels_offset);
  for (int v = 0; v <= largest; ++v) levels[v] = v;
  return true;
}

// Appends any other feature; no value is zero.
template <class Row, class T>
void encode_nonzeros(std::span<const Row> rows, std::span<const T> values, std::span<const std::uint32_t> multipliers,
                     std::int64_t id, FeatureBlock& block) {
  const std::int64_t stored = std::ssize(rows);
  if (!sparse_pays(stored, block.samples)) {
    static thread_local std::vector<double> dense;
    dense.assign(static_cast<std::size_t>(block.samples), 0.0);
    for (std::size_t e = 0; e < rows.size(); ++e) {
      dense[static_cast<std::size_t>(rows[e])] = static_cast<double>(values[e]);
    }
    encode_column(dense, multipliers, id, block);
    return;
  }
  FeatureHeader header;
  header.id = id;
  header.encoding = Encoding::kSparseCodes;
  header.stored = stored;
  header.offset = put_rows(rows, block);
  static thread_local DistinctValues<kMostCodes> distinct;
  static thread_local std::vector<std::uint8_t> codes;
  distinct.clear();
  codes.resize(values.size());
  for (std::size_t e = 0; e < values.size() && header.encoding == Encoding::kSparseCodes; ++e) {
    const int code = distinct.code(static_cast<double>(values[e]));
    if (code < 0) header.encoding = Encoding::kSparseValues;
    codes[e] = static_cast<std::uint8_t>(code + 1);
  }
  std::vector<double> levels = {0.0};
  if (header.encoding == Encoding::kSparseCodes) {
    levels.insert(levels.end(), distinct.values().begin(), distinct.values().end());
    header.entries_offset = block.append(stored, kShortAlignment);
    std::copy(codes.begin(), codes.end(),
              reinterpret_cast<std::uint8_t*>(block.payload.data() + header.entries_offset));
    std::array<std::uint32_t, kMostCodes + 1> words;
    for (std::size_t v = 0; v < levels.size(); ++v) words[v] = checksum_word(levels[v]);
    header.checksum = checksum_of(rows, codes.data(), words.data(), multipliers);
    const auto missing = std::find_if(levels.begin(), levels.end(), [](double x) { return std::isnan(x); });
    if (missing != levels.end()) {
      header.missing = std::count(codes.begin(), codes.end(), static_cast<std::uint8_t>(missing - levels.begin()));
    }
  } else {
    header.entries_offset = block.append(stored * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
    std::copy(values.begin(), values.end(), reinterpret_cast<double*>(block.payload.data() + header.entries_offset));
    for (std::size_t e = 0; e < values.size(); ++e) {
      const auto value = static_cast<double>(values[e]);
      header.checksum += checksum_word(value) * multipliers[static_cast<std::size_t>(rows[e])];
      header.missing += std::isnan(value) ? 1 : 0;
    }
  }
  header.levels = static_cast<std::int32_t>(levels.size());
  header.levels_offset = block.append(header.levels * static_cast<std::int64_t>(sizeof(double)), kShortAlignment);
  std::copy(levels.begin(), levels.end(), reinterpret_cast<double*>(block.payload.data() + header.levels_offset));
  // At least three quarters of the samples are zero.
  header.constant = stored == header.missing;
  block.headers.push_back(header);
}

}  // namespace

template <class Row, class T>
void encode_sparse(std::span<const Row> rows, std::span<const T> values, std::span<const std::uint32_t> multipliers,
                   std::int64_t id, FeatureBlock& block) {
  if (encode_counts(rows, values, multipliers, id, block)) return;
  if (std::find(values.begin(), values.end(), T{0}) == values.end()) {
    encode_nonzeros(rows, values, multipliers, id, block);
    return;
  }
  static thread_local std::vector<Row> kept_rows;
  static thread_local std::vector<T> kept;
  kept_rows.clear();
  kept.clear();
  for (std::size_t e = 0; e < rows.size(); ++e) {
    if (values[e] == T{0}) continue;
    kept_rows.push_back(rows[e]);
    kept.push_back(values[e]);
  }
  if (encode_counts<Row, T>(kept_rows, kept, multipliers, id, block)) return;
  encode_nonzeros<Row, T>(kept_rows, kept, multipliers, id, block);
}

template void encode_sparse(std::span<const std::uint16_t>, std::span<const std::uint16_t>,
                            std::span<const std::uint32_t>, std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::uint16_t>, std::span<const float>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::uint16_t>, std::span<const double>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::int32_t>, std::span<const std::uint16_t>,
                            std::span<const std::uint32_t>, std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::int32_t>, std::span<const float>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);
template void encode_sparse(std::span<const std::int32_t>, std::span<const double>, std::span<const std::uint32_t>,
                            std::int64_t, FeatureBlock&);

}  // namespace land
