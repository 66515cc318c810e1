// A target in a file of its own.
#pragma once

#include <string>

#include "land/formats/read_request.h"
#include "land/formats/table.h"

namespace land {

// Reads the target of `table` from a file: one value a line, ids and values in two columns, with or without a header
// (.csv, .tsv, also .gz), or an array (.npy, .npz). Joined on sample ids when both have them: every id once on both
// sides, else InputError naming one that is missing or repeated. Otherwise in order, and the lengths must match.
TargetColumn read_target_file(const std::string& path, const Table& table, const ReadOptions& options,
                              const Context& context);

// The same from memory.
TargetColumn read_target_bytes(const Bytes& bytes, const std::string& name, const Table& table,
                               const ReadOptions& options, const Context& context);

}  // namespace land
