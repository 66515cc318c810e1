// Tables of Arrow's C data interface: what polars, pyarrow and others hand over without a library between.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "land/formats/table.h"

namespace land::python {

// `capsule`: an "arrow_array_stream" of record batches; it is used up. The columns `target` and `ids` (empty: none) are
// no features. Dictionaries, and the columns of `nominal`, are nominal features; nulls become NaN. Throws InputError
// that names a column which is no number.
Table table_of_arrow(const nanobind::object& capsule, const std::string& name, const std::string& target,
                     const std::string& ids, const std::vector<std::string>& nominal);

}  // namespace land::python
