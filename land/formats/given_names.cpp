#include "land/formats/given_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "land/formats/name_lines.h"
#include "land/text/printable.h"

namespace land {

std::vector<std::string> read_given_names(const ReadRequest& request) {
  std::vector<std::string> names;
  const std::string& path = request.options.names;
  if (path.empty()) return names;
  const Bytes bytes = open_bytes(path, request.context);
  const NameLines lines(is_gzip(bytes.view) ? gunzip(bytes, path, request.context) : bytes);
  for (std::int64_t line = 0; line < lines.size(); ++line) names.push_back(lines.at(line));
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

void name_columns(std::vector<std::string> names, const std::string& source, Table& table) {
  if (std::ssize(names) != table.matrix.columns) {
    throw InputError(fmt::format(
        "{}: {} names for {} features of {}; give one for each{}", source, names.size(), table.matrix.columns,
        table.path,
        std::ssize(names) == table.matrix.samples
            ? fmt::format(" (or is {} meant?)", option("rows", table.layout.rows_are_features ? "samples" : "features"))
            : ""));
  }
  table.feature_names = std::move(names);
}

void add_given_names(const ReadRequest& request, Table& table) {
  const std::string& path = request.options.names;
  if (path.empty()) return;
  if (table.names || !table.feature_names.empty()) {
    throw InputError(
        fmt::format("{}: {} has names of its own; leave {} out", option("names", path), table.path, option("names")));
  }
  std::vector<std::string> names = read_given_names(request);
  if (std::ssize(names) != table.features()) {
    throw InputError(fmt::format("{}: {} names for {} features of {}; give one for each", path, names.size(),
                                 table.features(), table.path));
  }
  table.feature_names = std::move(names);
}

void warn_of_repeated_names(Table& table) {
  const std::int64_t count = std::ssize(table.feature_names);
  const auto name = [&](std::int64_t k) -> const std::string& {
    return table.feature_names[static_cast<std::size_t>(k)];
  };
  // Hashes instead of strings, of which there may be millions.
  std::vector<std::pair<std::size_t, std::int64_t>> hashes;
  hashes.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    hashes.emplace_back(std::hash<std::string>()(name(k)), k);
  }
  std::sort(hashes.begin(), hashes.end());
  std::int64_t repeated = 0;
  std::pair<std::int64_t, std::int64_t> example{count, count};
  for (std::size_t first = 0, at = 1; at < hashes.size(); ++at) {
    if (hashes[at].first != hashes[first].first) {
      first = at;
      continue;
    }
    const std::string& repeat = name(hashes[at].second);
    if (repeat.empty() || repeat != name(hashes[first].second)) continue;
    ++repeated;
    if (hashes[at].second < example.second) example = {hashes[first].second, hashes[at].second};
  }
  if (repeated == 0) return;
  table.warnings.push_back(fmt::format(
      "{} the name of an earlier one: features {} and {} are both called {}; tell them apart by their numbers",
      repeated == 1 ? "1 feature has" : fmt::format("{} features have", repeated), example.first, example.second,
      in_quotes(name(example.first))));
}

}  // namespace land
