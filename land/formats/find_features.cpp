#include "land/formats/find_features.h"

#include <algorithm>

namespace land {

std::int64_t find_feature(const ColumnLookup& where, const std::string& option, const std::string& wanted) {
  auto found = find_column(where, wanted);
  if (!found && where.names.empty() && wanted.starts_with('f')) found = find_column(where, wanted.substr(1));
  if (!found) throw_no_column(where, option, wanted);
  return *found;
}

std::vector<std::int64_t> find_features(const Table& table, const std::string& option,
                                        std::span<const std::string> wanted) {
  const std::vector<std::string> names = table.all_feature_names();
  const ColumnLookup lookup{table.path, names, table.features(), "feature"};
  std::vector<std::int64_t> ids;
  for (const std::string& one : wanted) {
    ids.push_back(find_feature(lookup, option, one));
  }
  return ids;
}

void add_nominal(Table& table, std::span<const std::int64_t> ids) {
  table.nominal.insert(table.nominal.end(), ids.begin(), ids.end());
  std::sort(table.nominal.begin(), table.nominal.end());
  table.nominal.erase(std::unique(table.nominal.begin(), table.nominal.end()), table.nominal.end());
}

}  // namespace land
