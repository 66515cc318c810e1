// From a table to a store.
#pragma once

#include <cstdint>
#include <string>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/options/options.h"

namespace land {

struct Converted {
  std::int64_t features = 0;
  std::int64_t samples = 0;
  std::int64_t bytes = 0;  // of the encoded features
  std::uint64_t fingerprint = 0;
};

// Writes the features, encoded, with names, ids and target. The file is there as a whole or not at all, and the same
// for any number of threads. A mapped matrix is gone through in passes that fit `options.memory`; what a reader has
// brought into memory already does not count. Throws InputError for values that `options.missing` refuses.
Converted convert(const Table& table, const std::string& path, const ConvertOptions& options, const Context& context);

}  // namespace land
