#include "land/formats/find_features.h"

#include <algorithm>
#include <string_view>

#include "land/formats/target_file.h"

namespace land {

std::int64_t find_feature(const ColumnLookup& where, const std::string& key, const std::string& wanted) {
  auto found = find_column(where, wanted);
  if (!found && where.names.empty() && wanted.starts_with('f')) found = find_column(where, wanted.substr(1));
  if (!found) throw_no_column(where, key, wanted);
  return *found;
}

std::vector<std::int64_t> find_features(const Table& table, const std::string& key,
                                        std::span<const std::string> wanted) {
  const std::vector<std::string> names = table.all_feature_names();
  return find_features({table.path, names, table.features(), "feature"}, key, wanted);
}

std::vector<std::int64_t> find_features(const ColumnLookup& features, const std::string& key,
                                        std::span<const std::string> wanted) {
  std::vector<std::int64_t> ids;
  for (const std::string& one : wanted) {
    ids.push_back(find_feature(features, key, one));
  }
  return ids;
}

std::vector<std::string> named_covariates(const ReadOptions& options) {
  return find_covariates_file(options.adjust) ? std::vector<std::string>() : options.adjust;
}

namespace {
constexpr std::string_view kAuto = "auto";
}  // namespace

std::vector<std::string> named_nominal(const ReadOptions& options) {
  std::vector<std::string> names = options.nominal;
  std::erase(names, kAuto);
  return names;
}

bool is_nominal_auto(const ReadOptions& options) {
  return std::find(options.nominal.begin(), options.nominal.end(), kAuto) != options.nominal.end();
}

}  // namespace land
