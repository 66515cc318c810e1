// From a table to a block table in Parquet.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/options/options.h"
#include "land/store/convert.h"

namespace land {

// As `convert` writes a store: within `options.memory`, whole or not at all, the same for any number of threads.
// `options.block_bytes`: of a cell, about.
Converted convert_to_blocks(const Table& table, const std::string& path, const ConvertOptions& options,
                            const Context& context);

}  // namespace land
