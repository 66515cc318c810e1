// From Python's arrays and files to tables.
#pragma once

#include <nanobind/nanobind.h>

namespace land::python {

// The class Table and the functions that make one.
void add_tables(nanobind::module_& module);

}  // namespace land::python
