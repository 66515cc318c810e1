// What the options leave out of a table, counted.
#pragma once

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/formats/read_table.h"

namespace land {

// Leaves out, in this order: features by name (--include, --exclude), samples by id (--samples, --exclude-samples) and
// without a target, samples that lack too many values (--mind), features that lack too many (--geno), are too rare
// (--maf), have too few values (--min-distinct) or lack any (--missing drop-feature). Each step sees what the steps
// before have left, as in PLINK. Table::left_out counts them. Throws InputError for a name that is not there, for
// samples without a target unless these may go, and when nothing is left.
void apply_subset(Table& table, const ReadOptions& options, const Context& context);

}  // namespace land
