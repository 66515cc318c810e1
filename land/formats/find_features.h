// Features of a table that the user named.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/formats/find_column.h"
#include "land/formats/read_table.h"

namespace land {

// A feature by its name, else by its number (from 0), else, where features have no names, by the name that results give
// it: "f7". `key` is the option's that named it. Throws InputError that suggests the nearest names.
std::int64_t find_feature(const ColumnLookup& where, const std::string& key, const std::string& wanted);

// Each of them.
std::vector<std::int64_t> find_features(const Table& table, const std::string& key,
                                        std::span<const std::string> wanted);
std::vector<std::int64_t> find_features(const ColumnLookup& features, const std::string& key,
                                        std::span<const std::string> wanted);

// What --adjust names, if that is no file.
std::vector<std::string> named_covariates(const ReadOptions& options);

// What --nominal names, but for the word auto.
std::vector<std::string> named_nominal(const ReadOptions& options);
bool is_nominal_auto(const ReadOptions& options);

}  // namespace land
