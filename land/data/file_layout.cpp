#include "land/data/file_layout.h"

#include <fmt/format.h>

#include "land/text/printable.h"

namespace land {
namespace {

// Position in the file of the index-th row (or column) that is not one of `others`.
std::int64_t position(std::int64_t index, const std::vector<std::int64_t>& others) {
  for (const std::int64_t other : others) {
    if (other > index) break;
    ++index;
  }
  return index;
}

}  // namespace

std::string FileLayout::place(std::int64_t sample, std::int64_t feature, const std::string& name) const {
  const std::int64_t row = position(rows_are_features ? feature : sample, other_rows);
  const std::int64_t column = position(rows_are_features ? sample : feature, other_columns);
  if (!is_text) return fmt::format("row {}, column {} (counted from 0)", row, column);
  const auto r = static_cast<std::size_t>(row);
  const std::int64_t line = r < row_lines.size() ? row_lines[r] : row + first_line;
  const std::string named = name.empty() ? "" : fmt::format(" ({})", in_quotes(name));
  if (rows_are_features) return fmt::format("row {}{}, column {}", line, named, column + 1);
  return fmt::format("row {}, column {}{}", line, column + 1, named);
}

}  // namespace land
