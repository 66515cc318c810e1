// GCT, the text of expression tables: a line with the version, a line with sizes, then a table with a feature in each
// row. Version 1.2 has a name and a description before the values; 1.3 any number of fields of features before, and of
// samples above them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace land {

bool is_gct(std::span<const std::byte> bytes);

struct GctSizes {
  std::int64_t features = 0;
  std::int64_t samples = 0;
  std::int64_t feature_fields = 0;  // columns between the names and the values
  std::int64_t sample_fields = 0;   // rows between the header and the values
  std::size_t begin = 0;            // of the table, in the text
};

// Throws InputError when the second line is not as the first one promises.
GctSizes read_gct_sizes(std::string_view text, const std::string& name);

}  // namespace land
