#include "land/formats/text_layout.h"

#include <fmt/format.h>

#include <utility>

#include "land/blocks/mapped_pages.h"
#include "land/error.h"
#include "land/formats/find_column.h"
#include "land/formats/header_row.h"
#include "land/formats/parse_number.h"
#include "land/formats/printable.h"

namespace land {
namespace {

class LayoutFinder {
 public:
  LayoutFinder(const TextRecords& records, const ReadRequest& request)
      : records_(records), request_(request), options_(request.options) {
    layout_.rows_are_features = options_.rows == Rows::kFeatures;
  }

  TextLayout find() {
    find_header();
    if (layout_.rows_are_features) {
      find_feature_labels();
      find_target_row();
    } else {
      find_target_column();
      find_sample_ids();
    }
    layout_.value_rows = records_.size() - layout_.first_row() - (layout_.target_row == TextLayout::kNone ? 0 : 1);
    check_not_empty();
    return std::move(layout_);
  }

 private:
  void find_header() {
    std::vector<std::string> first = read_cells(0);
    std::vector<std::string> second;
    if (records_.size() > 1) second = read_cells(1);
    layout_.columns = static_cast<std::int64_t>(first.size());
    if (first.size() + 1 == second.size() && first_cell_is_label()) {
      layout_.short_header = true;
      ++layout_.columns;
      first.insert(first.begin(), "");
      layout_.header = std::move(first);
    } else if (land::has_header({first, second}, options_)) {
      layout_.header = std::move(first);
    }
  }

  std::vector<std::string> read_cells(std::int64_t record) const {
    std::vector<std::string> cells;
    CellReader reader = records_.cells(record);
    for (Cell cell; reader.next(cell);) {
      if (cell.malformed) throw_after_quote(places().cell(record, static_cast<std::int64_t>(cells.size())));
      cells.push_back(cell.str());
    }
    return cells;
  }

  // In the second row: text or a quoted number, such as R's row names.
  bool first_cell_is_label() const {
    CellReader reader = records_.cells(1);
    Cell cell;
    reader.next(cell);
    return cell.quoted || !is_numeric(cell.text);
  }

  ColumnLookup columns() const { return {request_.name, layout_.header, layout_.columns, "column"}; }

  void find_target_column() {
    if (options_.target.empty()) return;
    const auto found = find_column(columns(), options_.target);
    if (found) {
      layout_.target_column = *found;
    } else if (!request_.target_is_file) {
      throw_no_column(columns(), "--target", options_.target, request_.target_also());
    }
  }

  void find_sample_ids() {
    if (!options_.id_column.empty()) {
      find_label_column();
      if (layout_.label_column == layout_.target_column) {
        throw InputError(fmt::format("{}: --id {} and --target {} are the same column; name two", request_.name,
                                     in_quotes(options_.id_column), in_quotes(options_.target)));
      }
    } else if (layout_.has_header() && marks_sample_ids(layout_.header[0]) && layout_.target_column != 0) {
      layout_.label_column = 0;
    }
  }

  void find_label_column() {
    const auto found = find_column(columns(), options_.id_column);
    if (!found) throw_no_column(columns(), "--id", options_.id_column);
    layout_.label_column = *found;
  }

  void find_feature_labels() {
    if (!options_.id_column.empty()) {
      find_label_column();
    } else if (layout_.has_header() && marks_feature_names(layout_.header[0])) {
      layout_.label_column = 0;
    } else if (records_.size() > layout_.first_row()) {
      CellReader reader = records_.cells(layout_.first_row());
      Cell cell;
      reader.next(cell);
      if (!is_numeric(cell.text)) layout_.label_column = 0;
    }
    if (layout_.label_column == TextLayout::kNone) return;
    layout_.row_labels.reserve(static_cast<std::size_t>(records_.size()));
    PagesBehind pages(std::as_bytes(std::span(records_.text())), records_.release());
    for (std::int64_t r = 0; r < records_.size(); ++r) {
      pages.passed(static_cast<std::size_t>(records_.start(r)));
      if ((r & 0xFFF) == 0) request_.context.check_stop();
      CellReader reader = records_.cells(r);
      // A row too short for a label is an error when its turn comes.
      Cell cell;
      std::int64_t skipped = r == 0 && layout_.short_header ? layout_.label_column : layout_.label_column + 1;
      bool found = skipped > 0;
      while (found && skipped-- > 0) found = reader.next(cell);
      layout_.row_labels.push_back(found ? cell.str() : "");
    }
  }

  void find_target_row() {
    if (options_.target.empty()) return;
    const ColumnLookup rows{request_.name, layout_.row_labels, records_.size(), "row"};
    const auto found = find_column(rows, options_.target);
    if (found) {
      layout_.target_row = *found;
      // A first row of class names looks like a header: the user knows better.
      if (*found == 0) layout_.header.clear();
    } else if (!request_.target_is_file) {
      throw_no_column(rows, "--target", options_.target, request_.target_also());
    }
  }

  void check_not_empty() const {
    if (layout_.value_rows == 0) {
      throw InputError(fmt::format("{}: the table has {} but no rows of values below", request_.name,
                                   layout_.has_header() ? "a header" : "a target"));
    }
    if (layout_.values_per_row() == 0) {
      throw InputError(
          fmt::format("{}: no column of values is left beside {}{}; was the delimiter (comma, tab or "
                      "semicolon) as expected?",
                      request_.name, layout_.label_column == TextLayout::kNone ? "" : "the ids",
                      layout_.target_column == TextLayout::kNone  ? ""
                      : layout_.label_column == TextLayout::kNone ? "the target"
                                                                  : " and the target"));
    }
  }

  TextPlaces places() const { return {request_.name, records_, layout_}; }

  const TextRecords& records_;
  const ReadRequest& request_;
  const ReadOptions& options_;
  TextLayout layout_;
};

}  // namespace

TextLayout find_layout(const TextRecords& records, const ReadRequest& request) {
  return LayoutFinder(records, request).find();
}

std::string TextPlaces::row(std::int64_t record) const {
  std::string place = fmt::format("{}: row {}", file, records.line(record));
  const auto r = static_cast<std::size_t>(record);
  if (r < layout.row_labels.size()) place += fmt::format(" ({})", in_quotes(layout.row_labels[r]));
  return place;
}

std::string TextPlaces::cell(std::int64_t record, std::int64_t column) const {
  std::string place = fmt::format("{}, column {}", row(record), column + 1);
  const auto c = static_cast<std::size_t>(column);
  if (!layout.rows_are_features && c < layout.header.size()) place += fmt::format(" ({})", in_quotes(layout.header[c]));
  return place;
}

void throw_after_quote(const std::string& place) {
  throw InputError(fmt::format("{}: text after the closing quote; write a quote inside quotes twice (\"\")", place));
}

}  // namespace land
