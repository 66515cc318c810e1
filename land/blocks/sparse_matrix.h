// A sparse table by feature (compressed columns): what is not stored is zero.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "land/blocks/aligned.h"

namespace land {

struct SparseMatrix {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  AlignedBuffer<std::int64_t> starts;  // column k is entries starts[k] .. starts[k + 1] - 1
  AlignedBuffer<std::int32_t> rows;    // the samples of a column, strictly rising
  // Their values, finite; stored zeros are allowed. In float32 when all of them are exactly that, else in float64: the
  // other one is empty.
  AlignedBuffer<float> values32;
  AlignedBuffer<double> values64;

  std::int64_t stored() const { return static_cast<std::int64_t>(rows.size()); }
  double value(std::int64_t entry) const {
    const auto at = static_cast<std::size_t>(entry);
    return values64.empty() ? static_cast<double>(values32[at]) : values64[at];
  }
};

// The same where it lies, whoever holds it. Values may also be NaN, where they are missing.
struct SparseColumns {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> rows;
  std::span<const float> values32;
  std::span<const double> values64;
  std::shared_ptr<const void> owner;  // keeps the spans alive
};

}  // namespace land
