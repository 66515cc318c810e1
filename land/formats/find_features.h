// Features of a table that the user named.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/formats/find_column.h"
#include "land/formats/read_table.h"
#include "land/formats/table.h"

namespace land {

// A feature by its name, else by its number (from 0), else, where features have no names, by the name that results give
// it: "f7". `option` is what the user called it. Throws InputError that suggests the nearest names.
std::int64_t find_feature(const ColumnLookup& where, const std::string& option, const std::string& wanted);

// Each of them.
std::vector<std::int64_t> find_features(const Table& table, const std::string& option,
                                        std::span<const std::string> wanted);
std::vector<std::int64_t> find_features(const ColumnLookup& features, const std::string& option,
                                        std::span<const std::string> wanted);

// What --nominal names, but for the word auto.
std::vector<std::string> named_nominal(const ReadOptions& options);
bool is_nominal_auto(const ReadOptions& options);

// The features `ids` are nominal, too.
void add_nominal(Table& table, std::span<const std::int64_t> ids);

}  // namespace land
