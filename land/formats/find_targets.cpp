#include "land/formats/find_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/text/printable.h"

namespace land {
namespace {

struct Found {
  std::vector<std::int64_t> columns;
  std::optional<std::string> lacking;  // the first piece that is no column
};

// The longest piece from `at` on that is a column, commas and all.
Found find_pieces(const ColumnLookup& where, const std::string& wanted) {
  Found found;
  for (std::size_t at = 0; at <= wanted.size();) {
    std::optional<std::int64_t> column;
    std::size_t end = wanted.size();
    while (!(column = find_column(where, wanted.substr(at, end - at)))) {
      const std::size_t comma = end == at ? std::string::npos : wanted.rfind(',', end - 1);
      if (comma == std::string::npos || comma < at) break;
      end = comma;
    }
    if (column) {
      found.columns.push_back(*column);
    } else if (!found.lacking) {
      end = std::min(wanted.find(',', at), wanted.size());
      found.lacking = wanted.substr(at, end - at);
    }
    at = end + 1;
  }
  return found;
}

void check_columns(const ColumnLookup& where, const std::vector<std::int64_t>& columns, const std::string& wanted,
                   const ReadOptions& options) {
  const auto typed = [&] { return option(target_key(options), Verbatim{in_quotes(wanted)}); };
  std::vector<std::int64_t> sorted = columns;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw InputError(fmt::format("{}: {}: a {} is named twice; name each once", where.file, typed(), where.noun));
  }
  if (options.survival && columns.size() != 2) {
    throw InputError(fmt::format("{}: {}: {} {}{}; name two, the time and the event", where.file, typed(),
                                 columns.size(), where.noun, columns.size() == 1 ? "" : "s"));
  }
}

}  // namespace

std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

const char* target_key(const ReadOptions& options) { return options.survival ? "survival" : "target"; }

std::optional<std::vector<std::int64_t>> find_targets(const ColumnLookup& where, const ReadRequest& request) {
  const std::string& wanted = request.options.target;
  Found found = find_pieces(where, wanted);
  if (found.lacking) {
    if (request.target_is_file) return std::nullopt;
    throw_no_column(where, target_key(request.options), found.columns.empty() ? wanted : *found.lacking,
                    request.target_also());
  }
  check_columns(where, found.columns, wanted, request.options);
  return std::move(found.columns);
}

std::vector<std::int64_t> find_targets_in_file(const ColumnLookup& where, const std::string& wanted,
                                               const ReadOptions& options) {
  Found found = find_pieces(where, wanted);
  if (found.lacking) throw_no_column(where, target_key(options), found.columns.empty() ? wanted : *found.lacking);
  check_columns(where, found.columns, wanted, options);
  return std::move(found.columns);
}

}  // namespace land
