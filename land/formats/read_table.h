// From a file, or bytes in memory, to a Table: detection by content, then by name.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "land/context.h"
#include "land/formats/table.h"

namespace land {

enum class Rows : std::uint8_t { kSamples, kFeatures };

struct ReadOptions {
  Rows rows = Rows::kSamples;  // what a row of the file is
  std::string id_column;       // --id; empty: a first header cell that is empty, "id" or "sample" (any case) marks it
  std::string target;          // --target: column name or number, or a file; empty: none
  std::string matrix_array = "X";  // names of the arrays of an .npz
  std::string target_array = "y";
};

// Bytes that stay alive and still: a mapped file, a decompressed buffer, a test's string.
struct Bytes {
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner;
  bool mapped = false;
};

// Reads DATA and, if asked for, its target. Throws InputError with file, row, column and what to do.
Table read_table(const std::string& path, const ReadOptions& options, const Context& context);

// The same from memory; `name` stands for the path in messages and serves for detection by name. A target given as a
// file is not looked for.
Table read_table(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Context& context);

}  // namespace land
