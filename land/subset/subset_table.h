// A table cut down to some of its samples and features: names, ids and target with them.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/subset/subset.h"

namespace land {

// What stays keeps its numbers in the file (Table::feature_numbers). A dense matrix is copied (copy_matrix); features
// that are encoded are cut down when they are read.
void subset_table(Table& table, const Subset& subset, const std::string& scratch_folder, const Context& context);

}  // namespace land
