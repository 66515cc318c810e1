// A dense table of numbers in memory or in a mapped file, as it stands there: no copy, no conversion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

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

// Element (sample i, column j) is at data + (i * sample_stride + j * column_stride) * size_of(dtype), native byte
// order, aligned to its own size. One column may be left out (the target, when it stands among the features).
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

  std::int64_t features() const { return columns - (skipped_column >= 0 ? 1 : 0); }
  std::int64_t column_of(std::int64_t feature) const {
    return feature + (skipped_column >= 0 && feature >= skipped_column ? 1 : 0);
  }
  // All of it; for a matrix without gaps.
  std::span<const std::byte> bytes() const {
    return {data, static_cast<std::size_t>(samples * columns) * size_of(dtype)};
  }
  // One element as a double (64-bit integers beyond 2^53 are rounded). For the few places where speed does not matter.
  double at(std::int64_t sample, std::int64_t column) const;
};

// values[(k - first) * samples + i] = feature k of sample i, as a double, for k = first .. last - 1. Goes over the
// samples once: features that stand side by side share cache lines.
void copy_features(const Matrix& matrix, std::int64_t first, std::int64_t last, std::span<double> values);

}  // namespace land
