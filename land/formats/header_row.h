// Whether the first row of a text table holds names, and whether its first column does: rules, not knowledge.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "land/formats/read_table.h"

namespace land {

// "", "id" or "sample" in any case: marks the column of sample ids.
bool marks_sample_ids(std::string_view name);

// The above, or what tables with a feature in each row write above their names: gene, Gene Symbol, ID_REF, probe, ...
bool marks_feature_names(std::string_view name);

struct FirstRows {
  std::span<const std::string> first;
  std::span<const std::string> second;  // empty: the table has one row
};

// A header when some cell of the first row that should be a number is not, that is, outside the id and the target
// column (the first column for Rows::kFeatures). A cell that says NA is a missing number, not a name. Where the second
// row has text in the same place too and the first row has numbers elsewhere, the text is a text column and no header.
// Names that are whole numbers make a header only beside a first cell that marks ids, or a name given by the options.
bool has_header(const FirstRows& rows, const ReadOptions& options);

}  // namespace land
