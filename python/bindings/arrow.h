// Tables of Arrow's C data interface: what polars, pyarrow and others hand over without a library between.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "land/data/table.h"

namespace land::python {

// The names of the columns of an "arrow_array_stream" (what __arrow_c_stream__ gives), which is not used up.
std::vector<std::string> arrow_columns(const nanobind::object& capsule, const std::string& name);

// `capsule`: an "arrow_array_stream" of record batches; it is used up. The columns `target` and `ids` (empty: none) are
// no features. Dictionaries, and the columns of `nominal`, are nominal features; nulls become NaN. Those of
// `unread` are features whose values, of whatever type, are all missing: to be left out. Throws InputError that names a
// column which is no number.
Table table_of_arrow(const nanobind::object& capsule, const std::string& name, const std::string& target,
                     const std::string& ids, const std::vector<std::string>& nominal,
                     const std::vector<std::string>& unread);

}  // namespace land::python
