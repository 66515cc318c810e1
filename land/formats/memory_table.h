// Arrays that a caller holds in memory, as a Table: where they lie, without a copy.
#pragma once

#include <string>

#include "land/blocks/matrix.h"
#include "land/blocks/sparse_columns.h"
#include "land/data/table.h"

namespace land {

// `name` stands for the path in messages.
Table table_of(Matrix matrix, const std::string& name);

// Checks what SparseSource relies on: starts that rise to the number of entries, samples that exist and rise strictly
// within a column, no infinite value. Throws InputError naming the column.
Table table_of(SparseColumns columns, const std::string& name);

}  // namespace land
