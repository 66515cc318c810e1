// The selected columns of a table, with ids and target, as a table of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/options/options.h"

namespace land {

// The files that write_selected makes for this name. Throws InputError unless it ends in .csv, .tsv, .npy or .h5.
std::vector<std::string> selected_files(const std::string& path);

// `features`: their numbers among those of the table, in the order in which they are written. Text: ids (if there are
// any) in a column `id`, the features, the target (of survival two columns); values are those of the table to the last
// digit. .npy: float64, with the target in NAME.y.npy and the names in NAME.names. .h5: a store, its features in the
// order of the table. All files appear together, as a whole. Memory: 8 bytes a value.
void write_selected(const Table& table, std::span<const std::int64_t> features, Missing missing,
                    const std::string& path, const Context& context);

}  // namespace land
