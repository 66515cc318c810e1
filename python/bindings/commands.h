// What Python can do with a table.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "land/data/table.h"
#include "land/results/result.h"
#include "land/results/spelled.h"

namespace land::python {

// Throws InputError if there is none.
const TargetColumn& target_of(const Table& table);

// Throws if the certificate is not valid.
std::string certified_json(const Result& result, const Spelling& spelling);

void add_commands(nanobind::module_& module);

}  // namespace land::python
