// A column (or row) that the user named: by its name, or by its number in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace land {

// What the messages about a lookup need to know.
struct ColumnLookup {
  const std::string& file;
  std::span<const std::string> names;  // of all columns of the file; empty: they have none
  std::int64_t count = 0;
  const char* noun = "column";  // or "row"
};

// First by name, then by number counted from 0; nullopt when there is no such column. Throws InputError when several
// columns have that name.
std::optional<std::int64_t> find_column(const ColumnLookup& where, const std::string& wanted);

// "data.csv: --target 'TP35': no column of that name; did you mean 'TP53'?"; `key` is the option's,
// `also` tells what else was tried.
[[noreturn]] void throw_no_column(const ColumnLookup& where, const std::string& key, const std::string& wanted,
                                  const std::string& also = "");

}  // namespace land
