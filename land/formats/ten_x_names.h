// Names that 10x Genomics writes beside its matrices.
#pragma once

#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

// For PREFIXmatrix.mtx, also .gz: the features from PREFIXfeatures.tsv (or genes.tsv), the sample ids from
// PREFIXbarcodes.tsv, also .gz, if they are there. A feature is called by its symbol, the second column, or
// "symbol (id)" where several have the same; by its id where there is no second column. A file whose lines are not as
// many as there are features or samples is not used, and a warning says so.
void add_ten_x_names(const ReadRequest& request, Table& table);

}  // namespace land
