// Where things stand in a text table: header, ids, names, target.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "land/formats/gct.h"
#include "land/formats/number_style.h"
#include "land/formats/read_request.h"
#include "land/formats/text_records.h"

namespace land {

// Rows are the records of the file, header included; all positions count from 0, kNone where there is no such thing.
struct TextLayout {
  static constexpr std::int64_t kNone = -1;

  bool rows_are_features = false;
  std::vector<std::string> header;           // one name a column; empty when there is none
  std::int64_t columns = 0;                  // cells in each row
  std::int64_t label_column = kNone;         // sample ids, or feature names when rows are features
  std::vector<std::int64_t> target_columns;  // when rows are samples; as they are named
  std::vector<std::int64_t> target_rows;     // when rows are features
  bool short_header = false;                 // the header lacks a name for the first column
  std::vector<std::string> row_labels;       // when rows are features and have names: of all rows
  std::int64_t value_rows = 0;               // rows of features or samples: neither header nor target
  std::int64_t field_columns = 0;            // of a GCT file: columns before the values, names included
  std::int64_t field_rows = 0;               // and rows between header and values, of which one may be the target
  bool repeated_ids = false;                 // the first column is headed as ids are, but its values cannot be

  bool has_header() const { return !header.empty(); }
  std::int64_t first_row() const { return has_header() ? 1 + field_rows : 0; }
  bool is_value(std::int64_t column) const {
    return column != label_column && column >= field_columns && !is_one_of(target_columns, column);
  }
  std::int64_t values_per_row() const {
    return columns - field_columns - (label_column >= field_columns ? 1 : 0) - std::ssize(target_columns);
  }
  bool is_target_row(std::int64_t record) const { return is_one_of(target_rows, record); }
  // Rows of targets among those of values.
  std::int64_t targets_among_values() const {
    return std::ranges::count_if(target_rows, [this](std::int64_t row) { return row >= first_row(); });
  }
  // The value_rows-th row of values, and the way back.
  std::int64_t row_of(std::int64_t record) const {
    const auto before = [&](std::int64_t row) { return row >= first_row() && row < record; };
    return record - first_row() - std::ranges::count_if(target_rows, before);
  }
  std::int64_t record_of(std::int64_t row) const;
  static bool is_one_of(const std::vector<std::int64_t>& list, std::int64_t number) {
    return std::ranges::find(list, number) != list.end();
  }
  // The columns that hold values, in order.
  std::vector<std::int64_t> value_columns() const;
  // Of the features, as Table::feature_name gives them.
  std::vector<std::string> feature_names() const;
};

// By the first two rows, and the labels of all rows when these are features. Throws InputError when --id or --target is
// not found, or no values are left. `gct`: the sizes that the file declares, which must be right.
TextLayout find_layout(const TextRecords& records, const ReadRequest& request, const NumberStyle& style,
                       const GctSizes* gct);

// How messages name a place: "data.csv: row 7, column 3 ('TP53')", lines and columns from 1.
struct TextPlaces {
  const std::string& file;
  const TextRecords& records;
  const TextLayout& layout;
  std::string row(std::int64_t record) const;
  std::string cell(std::int64_t record, std::int64_t column) const;
};

[[noreturn]] void throw_after_quote(const std::string& place);

}  // namespace land
