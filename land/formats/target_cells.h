// A text file that holds a target: its cells, and which of its columns are ids and values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/formats/read_table.h"

namespace land {

struct TargetCells {
  std::vector<std::string> names;                 // of the columns; empty: there is no header
  std::vector<std::vector<std::string>> columns;  // the values below
  std::vector<std::int64_t> lines;                // of each row, from 1
  bool decimal_comma = false;                     // between semicolons
  std::int64_t rows() const { return static_cast<std::int64_t>(lines.size()); }
};

// `column`: that of the target, if it was named, which tells a header from values. Rows must be equally long. Fields of
// genotypes' phenotypes stand between blanks.
TargetCells read_target_cells(const Bytes& bytes, const std::string& name, const std::string& column,
                              const Table& table, const Context& context);

}  // namespace land
