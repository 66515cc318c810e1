// A table cut down to some of its samples and features: names, ids and target with them.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/blocks/cut_samples.h"
#include "land/data/table.h"
#include "land/subset/subset.h"

namespace land {

// What stays keeps its numbers in the file (Table::feature_numbers). A dense matrix is copied (copy_matrix); features
// that are encoded are cut down when they are read.
void subset_table(Table& table, const Subset& subset, const std::string& scratch_folder, const Context& context);

// The same table without the values of its features, for an engine that has them: names are shared, so that it is cheap
// to copy.
Table without_values(const Table& table);

// Such a table, cut down to some samples (ascending): what belongs to a SampleView.
Table of_samples(const Table& table, const SampleNumbers& samples);

}  // namespace land
