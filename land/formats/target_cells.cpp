#include "land/formats/target_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "land/base/error.h"
#include "land/formats/header_row.h"
#include "land/formats/number_style.h"
#include "land/formats/text_records.h"
#include "land/text/id_words.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

struct CellRows {
  std::vector<std::vector<std::string>> cells;
  std::vector<std::int64_t> lines;
  bool decimal_comma = false;
};

CellRows read_delimited(std::string_view text, const std::string& name, const Context& context) {
  const TextRecords records(text, name, context);
  CellRows rows;
  rows.decimal_comma = records.decimal_comma();
  for (std::int64_t r = 0; r < records.size(); ++r) {
    if ((r & 0xFFF) == 0) context.check_stop();
    std::vector<std::string>& cells = rows.cells.emplace_back();
    rows.lines.push_back(records.line(r));
    CellReader reader = records.cells(r);
    for (Cell cell; reader.next(cell);) {
      if (cell.malformed) {
        throw InputError(
            fmt::format("{}: row {}, column {}: text after the closing quote; write a quote inside quotes twice (\"\")",
                        name, records.line(r), cells.size() + 1));
      }
      cells.push_back(cell.str());
    }
  }
  return rows;
}

CellRows read_between_blanks(std::string_view text, const Context& context) {
  constexpr std::string_view kBlanks = " \t\r";
  CellRows rows;
  std::int64_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    if ((++line & 0xFFF) == 0) context.check_stop();
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::vector<std::string> cells;
    for (std::string_view rest = text.substr(at, end - at);;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
      if (rest.empty()) break;
      const std::size_t size = std::min(rest.find_first_of(kBlanks), rest.size());
      cells.push_back(to_utf8(rest.substr(0, size)));
      rest.remove_prefix(size);
    }
    if (!cells.empty()) {
      rows.cells.push_back(std::move(cells));
      rows.lines.push_back(line);
    }
    at = end + 1;
  }
  return rows;
}

// PLINK writes blanks between fields, and other programs commas.
bool stands_between_blanks(std::string_view text, const Table& table) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return table.pedigree && first.find_first_of(",;\"") == std::string_view::npos;
}

void check_lengths(const CellRows& rows, const std::string& name, std::size_t columns) {
  const std::size_t first = rows.cells[0].size() < columns ? 1 : 0;  // a header that names the values only
  for (std::size_t r = first; r < rows.cells.size(); ++r) {
    const std::size_t found = rows.cells[r].size();
    if (found == columns) continue;
    throw InputError(fmt::format("{}: row {}: found {} cell{}, expected {} as in row {}", name, rows.lines[r], found,
                                 found == 1 ? "" : "s", columns, rows.lines[first]));
  }
}

// Of one value a line, or ids and values. Text over numbers is a header, and so is a first cell that marks ids. Where
// everything is text, the number of samples decides, unless the first value is a class that occurs again: then it is a
// label, not a name.
bool first_is_header_of_values(const CellRows& rows, const Table& table) {
  const std::vector<std::string>& first = rows.cells[0];
  const bool has_ids = first.size() == 2;
  if (has_ids && marks_sample_ids(first[0])) return true;
  if (is_numeric(first.back())) return false;
  const auto rest = rows.cells.begin() + 1;
  if (rest == rows.cells.end()) return true;
  const auto is_number = [](const std::vector<std::string>& row) { return is_numeric(row.back()); };
  if (std::all_of(rest, rows.cells.end(), is_number)) return true;
  const auto& known = table.sample_ids;
  if (has_ids && !known.empty()) return std::find(known.begin(), known.end(), first[0]) == known.end();
  const auto is_first = [&](const std::vector<std::string>& row) { return row.back() == first.back(); };
  if (std::any_of(rest, rows.cells.end(), is_first)) return false;
  return static_cast<std::int64_t>(rows.cells.size()) != table.samples();
}

bool first_is_header(const CellRows& rows, const std::string& column, const Table& table) {
  const std::vector<std::string>& first = rows.cells[0];
  // A row that has a sample's id is that sample's; a header stands above one that has.
  const std::unordered_set<std::string_view> known(table.sample_ids.begin(), table.sample_ids.end());
  const auto has_id = [&](const std::vector<std::string>& row) {
    return std::any_of(row.begin(), row.end(), [&](const std::string& cell) { return known.contains(cell); });
  };
  if (first.size() > 1 && has_id(first)) return false;
  if (!column.empty() && !is_numeric(column)) return true;
  if (!column.empty() && !table.pedigree && rows.cells.size() > 1 && has_id(rows.cells[1])) return true;
  if (table.pedigree && (first[0] == "FID" || first[0] == "#FID")) return true;
  if (first.size() <= 2 && column.empty()) return first_is_header_of_values(rows, table);
  // Family and individual of a sample are no names, numbers or not.
  if (table.pedigree && first.size() >= 3 && column.empty()) return false;
  return has_header({first, rows.cells.size() > 1 ? rows.cells[1] : std::vector<std::string>()}, {}, NumberStyle());
}

}  // namespace

TargetCells read_target_cells(const Bytes& bytes, const std::string& name, const std::string& column,
                              const Table& table, const Context& context) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size());
  CellRows rows =
      stands_between_blanks(text, table) ? read_between_blanks(text, context) : read_delimited(text, name, context);
  if (rows.cells.empty()) throw InputError(fmt::format("{}: the file is empty", name));
  const bool short_header = rows.cells.size() > 1 && rows.cells[0].size() + 1 == rows.cells[1].size();
  const std::size_t columns = rows.cells[0].size() + (short_header ? 1 : 0);
  check_lengths(rows, name, columns);
  TargetCells result;
  std::size_t begin = 0;
  if (short_header || first_is_header(rows, column, table)) {
    result.names = std::move(rows.cells[0]);
    if (short_header) result.names.insert(result.names.begin(), "");
    begin = 1;
  }
  result.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    result.columns[c].reserve(rows.cells.size());
    for (std::size_t r = begin; r < rows.cells.size(); ++r) result.columns[c].push_back(std::move(rows.cells[r][c]));
  }
  result.decimal_comma = rows.decimal_comma;
  result.lines.assign(rows.lines.begin() + static_cast<std::ptrdiff_t>(begin), rows.lines.end());
  return result;
}

}  // namespace land
