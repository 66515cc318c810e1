#include "land/formats/find_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/text/nearest_names.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

std::string listed(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + in_quotes(name);
  return list;
}

}  // namespace

std::optional<std::int64_t> find_column(const ColumnLookup& where, const std::string& wanted) {
  const auto found = std::find(where.names.begin(), where.names.end(), wanted);
  if (found != where.names.end()) {
    const std::int64_t first = found - where.names.begin();
    const auto again = std::find(found + 1, where.names.end(), wanted);
    if (again != where.names.end()) {
      throw InputError(fmt::format("{}: {} {} and {} {} are both called {}; say which by its number, {} or {}",
                                   where.file, where.noun, first, where.noun, again - where.names.begin(),
                                   in_quotes(wanted), first, again - where.names.begin()));
    }
    return first;
  }
  const auto number = parse_index(wanted);
  if (number && *number < where.count) return *number;
  return std::nullopt;
}

void throw_no_column(const ColumnLookup& where, const std::string& key, const std::string& wanted,
                     const std::string& also) {
  std::string hint;
  const auto nearest = nearest_names(wanted, where.names);
  if (parse_index(wanted)) {
    hint = fmt::format("{}s are numbered 0 to {}", where.noun, where.count - 1);
  } else if (!nearest.empty()) {
    hint = fmt::format("did you mean {}?", listed(nearest));
  } else if (!where.names.empty()) {
    const std::size_t shown = std::min<std::size_t>(where.names.size(), 5);
    hint = fmt::format("its {}s are {}{}", where.noun, listed(where.names.first(shown)),
                       shown < where.names.size() ? ", ..." : "");
  } else {
    hint = fmt::format("its {}s have no names: give a number from 0 to {}", where.noun, where.count - 1);
  }
  throw InputError(fmt::format("{}: {}: no such {}{}; {}", where.file, option(key, Verbatim{in_quotes(wanted)}),
                               where.noun, also, hint));
}

}  // namespace land
