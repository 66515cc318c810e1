// Columns as a table that owns them.
#pragma once

#include <memory>
#include <vector>

#include "land/formats/memory_table.h"

namespace land::test {

// Feature-major float64.
inline Table table_of_columns(const std::vector<std::vector<double>>& columns) {
  const std::size_t n = columns[0].size();
  auto values = std::make_shared<std::vector<double>>();
  for (const auto& column : columns) values->insert(values->end(), column.begin(), column.end());
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values->data());
  matrix.samples = static_cast<std::int64_t>(n);
  matrix.columns = static_cast<std::int64_t>(columns.size());
  matrix.sample_stride = 1;
  matrix.column_stride = matrix.samples;
  matrix.owner = values;
  return table_of(std::move(matrix), "memory");
}

}  // namespace land::test
