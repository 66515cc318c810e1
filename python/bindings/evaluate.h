// Judging for Python: what evaluate needs of the library.
#pragma once

#include <nanobind/nanobind.h>

namespace land::python {

void add_evaluate(nanobind::module_& module);

}  // namespace land::python
