// Whether the first row of a text table holds names, and whether its first column does: rules, not knowledge.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "land/formats/number_style.h"
#include "land/formats/read_table.h"

namespace land {

struct FirstRows {
  std::span<const std::string> first;
  std::span<const std::string> second;  // empty: the table has one row
};

// A header when some cell of the first row that should be a number is not, that is, outside the id and the target
// column (the first column for Rows::kFeatures). A cell that says NA is a missing number, not a name. Where the second
// row has text in the same place too and the first row has numbers elsewhere, the text is a text column and no header.
// Names that are whole numbers make a header only beside a first cell that marks ids, or a name given by the options.
bool has_header(const FirstRows& rows, const ReadOptions& options, const NumberStyle& style);

// Whether a table read with samples in rows looks like one with features in rows: names of features above the first
// column; or many rows with all sorts of names below a header of samples (s1, s2, ...).
bool rows_look_like_features(std::span<const std::string> header, std::span<const std::string> row_labels);

}  // namespace land
