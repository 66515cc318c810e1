// What every reader is handed beside the bytes.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/formats/read_table.h"

namespace land {

struct ReadRequest {
  const std::string& name;  // of the file, for messages and detection by name
  const ReadOptions& options;
  const Context& context;
  // --target is a file that exists: a reader that knows no such column leaves Table::target empty for it.
  bool target_is_file = false;
  // For the message when --target is neither.
  const char* target_also() const { return from_file ? " and no such file" : ""; }
  bool from_file = false;
  // What may be kept in memory; 0: everything.
  std::int64_t scratch_above() const { return options.scratch_folder.empty() ? 0 : context.memory; }
};

}  // namespace land
