#include "land/formats/target_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "land/formats/detect_format.h"
#include "land/formats/gzip.h"
#include "land/formats/header_row.h"
#include "land/formats/mapped_file.h"
#include "land/formats/npy.h"
#include "land/formats/npz.h"
#include "land/formats/parse_number.h"
#include "land/formats/printable.h"
#include "land/formats/target_column.h"
#include "land/formats/text_records.h"

namespace land {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// A target file of text as it stands: all rows, header or not.
struct TextTarget {
  std::vector<std::string> ids;  // empty: one column only
  std::vector<std::string> values;
  std::vector<std::int64_t> lines;
};

TextTarget read_rows(const TextRecords& records, const std::string& name, const Context& context) {
  TextTarget rows;
  std::size_t columns = 0;
  bool short_header = false;
  for (std::int64_t r = 0; r < records.size(); ++r) {
    if ((r & 0xFFF) == 0) context.check_stop();
    const std::int64_t line = records.line(r);
    std::vector<std::string> cells;
    CellReader reader = records.cells(r);
    for (Cell cell; reader.next(cell);) {
      if (cell.malformed) {
        throw InputError(
            fmt::format("{}: row {}, column {}: text after the closing quote; write a quote inside quotes "
                        "twice (\"\")",
                        name, line, cells.size() + 1));
      }
      if (cells.size() < 3) cells.push_back(cell.str());
    }
    if (cells.size() > 2) {
      throw InputError(
          fmt::format("{}: row {} has more than two columns; a target file has one value a line, or an id and "
                      "a value",
                      name, line));
    }
    if (r == 0) {
      columns = cells.size();
    } else if (r == 1 && columns == 1 && cells.size() == 2) {
      // A header that names the values only.
      columns = 2;
      short_header = true;
    } else if (cells.size() != columns) {
      throw InputError(fmt::format("{}: row {}: found {} cell{}, expected {} as in row {}", name, line, cells.size(),
                                   cells.size() == 1 ? "" : "s", columns, records.line(short_header ? 1 : 0)));
    }
    if (cells.size() == 2) rows.ids.push_back(std::move(cells[0]));
    rows.values.push_back(std::move(cells.back()));
    rows.lines.push_back(line);
  }
  if (short_header) rows.ids.insert(rows.ids.begin(), "");
  return rows;
}

// Text over numbers is a header, and so is a first cell that marks ids. Where everything is text, the number of samples
// decides, unless the first value is a class that occurs again: then it is a label, not a name.
bool first_row_is_header(const TextTarget& rows, const Table& table) {
  if (!rows.ids.empty() && marks_sample_ids(rows.ids[0])) return true;
  const std::string& first = rows.values[0];
  if (is_numeric(first)) return false;
  const auto rest = rows.values.begin() + 1;
  if (rest == rows.values.end()) return true;
  if (std::all_of(rest, rows.values.end(), [](const std::string& value) { return is_numeric(value); })) return true;
  const auto& known = table.sample_ids;
  if (!rows.ids.empty() && !known.empty()) return std::find(known.begin(), known.end(), rows.ids[0]) == known.end();
  if (std::find(rest, rows.values.end(), first) != rows.values.end()) return false;
  return static_cast<std::int64_t>(rows.values.size()) != table.samples();
}

[[noreturn]] void throw_id(const std::string& file, const std::string& id, const std::string& what) {
  throw InputError(fmt::format("{}: sample {} {}; the ids of both files must be the same", file, in_quotes(id), what));
}

using RowOfId = std::unordered_map<std::string_view, std::size_t>;

RowOfId index_ids(const std::vector<std::string>& ids, const std::string& file) {
  RowOfId rows;
  rows.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!rows.emplace(ids[i], i).second) throw_id(file, ids[i], "occurs twice");
  }
  return rows;
}

// The order in which the file's rows stand for the table's samples.
std::vector<std::size_t> join(const TextTarget& rows, const std::string& name, const Table& table) {
  const RowOfId row_of = index_ids(rows.ids, name);
  const RowOfId sample_of = index_ids(table.sample_ids, table.path);
  std::vector<std::size_t> order;
  order.reserve(table.sample_ids.size());
  for (const std::string& id : table.sample_ids) {
    const auto found = row_of.find(id);
    if (found == row_of.end()) throw_id(name, id, fmt::format("of {} is missing here", table.path));
    order.push_back(found->second);
  }
  for (const std::string& id : rows.ids) {
    if (sample_of.find(id) == sample_of.end()) throw_id(table.path, id, fmt::format("of {} is missing here", name));
  }
  return order;
}

void check_length(std::int64_t values, const std::string& name, const Table& table) {
  if (values == table.samples()) return;
  throw InputError(
      fmt::format("{}: the target has {} values, {} has {} samples; they must match (or is --rows {} meant?)", name,
                  values, table.path, table.samples(), table.rows_are_features ? "samples" : "features"));
}

TargetColumn read_text_target(const Bytes& bytes, const std::string& name, const Table& table, const Context& context) {
  const TextRecords records({reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()}, name, context);
  TextTarget rows = read_rows(records, name, context);
  std::string target_name = base_name(name);
  if (first_row_is_header(rows, table)) {
    if (!rows.values[0].empty()) target_name = rows.values[0];
    rows.values.erase(rows.values.begin());
    rows.lines.erase(rows.lines.begin());
    if (!rows.ids.empty()) rows.ids.erase(rows.ids.begin());
  }
  const bool joined = !rows.ids.empty() && !table.sample_ids.empty();
  std::vector<std::size_t> order;
  if (joined) {
    order = join(rows, name, table);
  } else {
    check_length(static_cast<std::int64_t>(rows.values.size()), name, table);
  }
  const int column = rows.ids.empty() ? 1 : 2;
  const auto place = [&](std::int64_t i) {
    return fmt::format("{}: row {}, column {}", name, rows.lines[static_cast<std::size_t>(i)], column);
  };
  // Checked in the order of the file, then brought into that of the samples.
  TargetColumn in_file = target_from_text(std::move(target_name), std::move(rows.values), place);
  if (!joined) return in_file;
  TargetColumn target;
  target.name = std::move(in_file.name);
  for (const std::size_t row : order) {
    if (in_file.is_text()) {
      target.text.push_back(std::move(in_file.text[row]));
    } else {
      target.numbers.push_back(in_file.numbers[row]);
    }
  }
  note_first_text([&](std::int64_t i) { return place(static_cast<std::int64_t>(order[static_cast<std::size_t>(i)])); },
                  target);
  return target;
}

}  // namespace

TargetColumn read_target_bytes(const Bytes& bytes, const std::string& name, const Table& table,
                               const ReadOptions& options, const Context& context) {
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, name, context) : bytes;
  TargetColumn target;
  switch (detect_format(plain.view, name)) {
    case Format::kNpy:
      target = npy_target(open_npy(plain, name), name, base_name(name), context);
      break;
    case Format::kNpz:
      target = read_npz_target(plain, {name, options, context});
      break;
    case Format::kBed:
      throw InputError(name + ": genotypes are no target");
    case Format::kSvmlight:
    case Format::kMatrixMarket:
      throw InputError(name + ": a sparse matrix is no target; give one value a line");
    case Format::kStore:
      throw InputError(fmt::format("{}: a store, which holds a table; name its column: give the store as DATA", name));
    case Format::kText:
      return read_text_target(plain, name, table, context);
  }
  check_length(target.size(), name, table);
  return target;
}

TargetColumn read_target_file(const std::string& path, const Table& table, const ReadOptions& options,
                              const Context& context) {
  return read_target_bytes(open_bytes(path, context), path, table, options, context);
}

}  // namespace land
