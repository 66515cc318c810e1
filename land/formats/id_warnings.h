// Features that may be ids of samples, and tables that may be read the wrong way round.
#pragma once

#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/formats/text_layout.h"

namespace land {

// Adds to the warnings of a table with samples in rows: rows that look like features; features that are headed as ids
// are and hold different whole numbers; a first column of 0, 1, 2, ... or 1, 2, 3, ... `header` is that of the file. A
// look at the first value where no header speaks of ids.
void warn_of_ids(const std::vector<std::string>& header, const TextLayout& layout, Table& table);

}  // namespace land
