// Features that a Python function reads when they are wanted.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "land/data/table.h"

namespace land::python {

// `read(first, count)` gives a C-contiguous float32 or float64 array of count x samples. It is called from any thread,
// with the GIL.
Table table_of_columns(nanobind::object read, std::vector<std::string> names, std::int64_t samples,
                       const std::string& name);

}  // namespace land::python
