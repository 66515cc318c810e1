#include "land/formats/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "land/base/error.h"
#include "land/blocks/sparse_source.h"

namespace land {
namespace {

void check_starts(const SparseColumns& columns, const std::string& name) {
  const bool whole = std::ssize(columns.starts) == columns.columns + 1 && columns.starts.front() == 0 &&
                     columns.starts.back() == columns.stored();
  if (!whole || !std::is_sorted(columns.starts.begin(), columns.starts.end())) {
    throw InputError(fmt::format("{}: the starts of the columns do not rise from 0 to the number of entries", name));
  }
}

template <class Row, class T>
void check_column(std::int64_t column, std::span<const Row> rows, std::span<const T> values, std::int64_t samples,
                  const std::string& name) {
  std::int64_t before = -1;
  for (std::size_t e = 0; e < rows.size(); ++e) {
    if (rows[e] <= before || rows[e] >= samples) {
      throw InputError(fmt::format("{}: column {} (counted from 0): row numbers must rise, each once, and be below {}",
                                   name, column, samples));
    }
    before = rows[e];
    if (std::isinf(static_cast<double>(values[e]))) {
      throw InputError(
          fmt::format("{}: row {}, column {} (counted from 0): infinity is not a finite number; make it NaN if the "
                      "value is missing",
                      name, before, column));
    }
  }
}

}  // namespace

Table table_of(Matrix matrix, const std::string& name) {
  Table table;
  table.path = name;
  table.matrix = std::move(matrix);
  return table;
}

Table table_of(SparseColumns columns, const std::string& name) {
  check_starts(columns, name);
  columns.for_each(0, columns.columns, [&](std::int64_t k, auto rows, auto values) {
    check_column(k, rows, values, columns.samples, name);
  });
  Table table;
  table.path = name;
  table.encoded = std::make_shared<SparseSource>(std::move(columns));
  return table;
}

}  // namespace land
