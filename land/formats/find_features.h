// Features of a table that the user named.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/formats/table.h"

namespace land {

// Each by its name, else by its number (from 0, features only). `option` is what the user called the list. Throws
// InputError that suggests the nearest names.
std::vector<std::int64_t> find_features(const Table& table, const std::string& option,
                                        std::span<const std::string> wanted);

// The features `ids` are nominal, too.
void add_nominal(Table& table, std::span<const std::int64_t> ids);

}  // namespace land
