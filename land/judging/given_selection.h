// A selection that was made before, as the JSON of `land select` has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"

namespace land {

struct GivenSelection {
  std::string source;  // its file, for messages
  std::string method;
  std::string table;        // that it was made from
  std::string fingerprint;  // of the values it was made from
  struct Feature {
    std::int64_t index = 0;  // counts all features of the file
    std::string name;
  };
  std::vector<Feature> features;  // in order
};

// Throws InputError for text that is no selection.
GivenSelection parse_selection(std::string_view json, std::string source);
GivenSelection read_selection(const std::string& path, const Context& context);

// The places of its features among those used of the table: by number if the feature there has the name, else by name,
// else, if the values are the same (`same_table`), by number. Throws InputError for one that is not there, or whose
// name several have.
std::vector<std::int64_t> find_selected(const GivenSelection& selection, const Table& table, bool same_table);

}  // namespace land
