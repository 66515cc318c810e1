#include "land/formats/find_features.h"

#include <algorithm>

#include "land/formats/find_column.h"

namespace land {

std::vector<std::int64_t> find_features(const Table& table, const std::string& option,
                                        std::span<const std::string> wanted) {
  const std::vector<std::string> names = table.all_feature_names();
  const ColumnLookup lookup{table.path, names, table.features(), "feature"};
  std::vector<std::int64_t> ids;
  for (const std::string& one : wanted) {
    const auto found = find_column(lookup, one);
    if (!found) throw_no_column(lookup, option, one);
    ids.push_back(*found);
  }
  return ids;
}

void add_nominal(Table& table, std::span<const std::int64_t> ids) {
  table.nominal.insert(table.nominal.end(), ids.begin(), ids.end());
  std::sort(table.nominal.begin(), table.nominal.end());
  table.nominal.erase(std::unique(table.nominal.begin(), table.nominal.end()), table.nominal.end());
}

}  // namespace land
