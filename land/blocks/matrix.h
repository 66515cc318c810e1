// A dense table of numbers in memory or in a mapped file, as it stands there: no copy, no conversion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace land {

enum class DType : std::uint8_t {
  kFloat32,
  kFloat64,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kBool
};

std::size_t size_of(DType type);
std::string_view to_string(DType type);  // NumPy's names: "float32", "int8", "bool", ...

// Element (sample i, column j) is at data + (row(i) * sample_stride + j * column_stride) * size_of(dtype), native byte
// order, aligned to its own size. One column may be left out (the target, when it stands among the features), and any
// samples.
struct Matrix {
  const std::byte* data = nullptr;
  DType dtype = DType::kFloat64;
  std::int64_t samples = 0;
  std::int64_t columns = 0;        // as stored, the skipped one included
  std::int64_t sample_stride = 0;  // in elements
  std::int64_t column_stride = 0;
  std::int64_t skipped_column = -1;
  std::shared_ptr<const void> owner;  // keeps `data` alive
  std::string_view storage() const { return mapped ? "mapped" : "memory"; }
  bool mapped = false;
  // Samples that are kept: where they stand in storage, rising, and how many are there; null: all.
  std::shared_ptr<const std::vector<std::int64_t>> kept = nullptr;
  std::int64_t stored_samples = 0;

  std::int64_t features() const { return columns - (skipped_column >= 0 ? 1 : 0); }
  std::int64_t column_of(std::int64_t feature) const {
    return feature + (skipped_column >= 0 && feature >= skipped_column ? 1 : 0);
  }
  std::int64_t row(std::int64_t sample) const { return kept ? (*kept)[static_cast<std::size_t>(sample)] : sample; }
  // All that is stored; for a matrix without gaps.
  std::span<const std::byte> bytes() const {
    return {data, static_cast<std::size_t>((kept ? stored_samples : samples) * columns) * size_of(dtype)};
  }
  // These of its samples alone, rising. Copies nothing.
  void keep(const std::vector<std::int64_t>& numbers);
  // One element as a double (64-bit integers beyond 2^53 are rounded). For the few places where speed does not matter.
  double at(std::int64_t sample, std::int64_t column) const;
};

// Calls act(offset), offset(i) being where sample i begins, in elements: for loops in which a look at `kept` would
// cost.
template <class Act>
void with_offsets(const Matrix& matrix, const Act& act) {
  const std::int64_t stride = matrix.sample_stride;
  if (matrix.kept) {
    act([kept = matrix.kept->data(), stride](std::int64_t sample) { return kept[sample] * stride; });
  } else {
    act([stride](std::int64_t sample) { return sample * stride; });
  }
}

// values[(k - first) * samples + i] = feature k of sample i, as a double, for k = first .. last - 1. Goes over the
// samples once: features that stand side by side share cache lines.
void copy_features(const Matrix& matrix, std::int64_t first, std::int64_t last, std::span<double> values);

}  // namespace land
