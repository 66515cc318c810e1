// Tables of text: .csv, .tsv and the like.
#pragma once

#include "land/formats/read_request.h"
#include "land/formats/read_table.h"

namespace land {

// Values become float64, or float32 when every value is exactly one. Rows are parsed in parallel; the error is that of
// the first bad cell of the file whatever the number of threads. A header shorter by one than the rows below leaves out
// the name of the first column, as R does, if that column holds text. Features with text are settled by settle_text.
// Memory: 8 bytes a value (12 while narrowing),
// or, where that is more than half of request.scratch_above(), a few MB for each thread beside names and ids: the
// values are then in a scratch file.
Table read_delimited_text(const Bytes& bytes, const ReadRequest& request);

// The same for a GCT file, whatever options.rows says: its rows are features.
Table read_gct(const Bytes& bytes, const ReadRequest& request);

}  // namespace land
