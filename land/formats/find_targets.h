// The columns (or rows) that --target or --survival names: one, or several between commas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "land/formats/find_column.h"
#include "land/formats/read_request.h"

namespace land {

// In the order in which they are named. A column that has all of the text for its name comes first; a name may have
// commas in it. nullopt when there is no such column and the target may be a file. Throws InputError when some of them
// or all are not there, when one is named twice, and when survival has not two.
std::optional<std::vector<std::int64_t>> find_targets(const ColumnLookup& where, const ReadRequest& request);

// Of a file of targets, which has no other place to look in. `wanted`: ReadOptions::target without the file.
std::vector<std::int64_t> find_targets_in_file(const ColumnLookup& where, const std::string& wanted,
                                               const ReadOptions& options);

// What stands between commas.
std::vector<std::string> pieces_of(const std::string& text);

// "survival" or "target": the option's key.
const char* target_key(const ReadOptions& options);

}  // namespace land
