// Where samples and features stand in a file of rows and columns, so that messages can name a place there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace land {

struct FileLayout {
  bool is_text = false;  // else an array
  bool rows_are_features = false;
  // Rows and columns, from 0 and ascending, that are neither samples nor features: header, ids, names, target.
  std::vector<std::int64_t> other_rows;
  std::vector<std::int64_t> other_columns;
  // Of text: the line, from 1, on which each row begins when quoted cells span lines (else empty).
  std::vector<std::int64_t> row_lines;
  std::int64_t first_line = 1;  // of the first row, where comments stand above it

  // What a feature is.
  const char* feature_noun() const { return rows_are_features ? "row" : "column"; }

  // "row 7, column 3 ('TP53')" for the cell of (sample, feature), by their numbers in the file. `name`: the feature's;
  // empty: none. Rows and columns of text count from 1, as an editor shows them; those of arrays from 0, as NumPy does.
  std::string place(std::int64_t sample, std::int64_t feature, const std::string& name) const;
};

}  // namespace land
