// What Python can do with a table.
#pragma once

#include <nanobind/nanobind.h>

namespace land::python {

void add_commands(nanobind::module_& module);

}  // namespace land::python
