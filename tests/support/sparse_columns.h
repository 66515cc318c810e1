// Compressed columns that hold their own arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "land/blocks/sparse_columns.h"

namespace land::test {

template <class Value>
SparseColumns columns_of(std::int64_t samples, std::vector<std::int64_t> starts, std::vector<std::int32_t> rows,
                         std::vector<Value> values) {
  struct Arrays {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> rows;
    std::vector<Value> values;
  };
  const auto arrays = std::make_shared<Arrays>(Arrays{std::move(starts), std::move(rows), std::move(values)});
  SparseColumns columns;
  columns.samples = samples;
  columns.columns = std::ssize(arrays->starts) - 1;
  columns.starts = arrays->starts;
  columns.rows = std::span<const std::int32_t>(arrays->rows);
  columns.values = std::span<const Value>(arrays->values);
  columns.owner = arrays;
  return columns;
}

}  // namespace land::test
