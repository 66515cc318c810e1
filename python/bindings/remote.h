// Features on a cluster: what a driver and its workers do, over bytes.
#pragma once

#include <nanobind/nanobind.h>

namespace land::python {

void add_remote(nanobind::module_& module);

}  // namespace land::python
