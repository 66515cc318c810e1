#include "land/formats/text_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/mapped_pages.h"
#include "land/formats/find_column.h"
#include "land/formats/find_targets.h"
#include "land/formats/header_row.h"
#include "land/text/id_words.h"
#include "land/text/printable.h"

namespace land {
namespace {

class LayoutFinder {
 public:
  LayoutFinder(const TextRecords& records, const ReadRequest& request, const NumberStyle& style, const GctSizes* gct)
      : records_(records), request_(request), options_(request.options), style_(style), gct_(gct) {
    layout_.rows_are_features = options_.rows == Rows::kFeatures || gct != nullptr;
  }

  TextLayout find() {
    if (gct_ != nullptr) {
      take_sizes(*gct_);
    } else {
      find_header();
    }
    if (layout_.rows_are_features) {
      find_feature_labels();
      find_target_row();
    } else {
      find_target_column();
      find_sample_ids();
    }
    layout_.value_rows = records_.size() - layout_.first_row() - layout_.targets_among_values();
    check_not_empty();
    return std::move(layout_);
  }

 private:
  void take_sizes(const GctSizes& sizes) {
    layout_.header = read_cells(0);
    layout_.columns = static_cast<std::int64_t>(layout_.header.size());
    layout_.field_columns = 1 + sizes.feature_fields;
    layout_.field_rows = sizes.sample_fields;
    const std::int64_t features = records_.size() - layout_.first_row();
    const std::int64_t samples = layout_.columns - layout_.field_columns;
    if (features != sizes.features || samples != sizes.samples) {
      throw InputError(
          fmt::format("{}: row 2 says {} features and {} samples, the table has {} and {}; copy the file "
                      "again, or correct the sizes",
                      request_.name, sizes.features, sizes.samples, std::max<std::int64_t>(features, 0),
                      std::max<std::int64_t>(samples, 0)));
    }
  }

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
    } else if (land::has_header({first, second}, options_, style_)) {
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
    return cell.quoted || !style_.is_numeric(cell.text);
  }

  ColumnLookup columns() const { return {request_.name, layout_.header, layout_.columns, "column"}; }

  void find_target_column() {
    if (options_.target.empty()) return;
    if (auto found = find_targets(columns(), request_)) layout_.target_columns = std::move(*found);
  }

  void find_sample_ids() {
    if (!options_.id_column.empty()) {
      find_label_column();
      if (TextLayout::is_one_of(layout_.target_columns, layout_.label_column)) {
        throw InputError(fmt::format("{}: {} and {} are the same column; name two", request_.name,
                                     option("id", Verbatim{in_quotes(options_.id_column)}),
                                     option(target_key(options_), Verbatim{in_quotes(options_.target)})));
      }
    } else if (layout_.has_header() && marks_sample_ids(layout_.header[0]) &&
               !TextLayout::is_one_of(layout_.target_columns, 0) && !is_nominal(layout_.header[0])) {
      layout_.repeated_ids = !always_marks_sample_ids(layout_.header[0]) && !first_cells_are_ids();
      if (!layout_.repeated_ids) layout_.label_column = 0;
    }
  }

  bool is_nominal(const std::string& name) const {
    return std::find(options_.nominal.begin(), options_.nominal.end(), name) != options_.nominal.end();
  }

  // Whole numbers or text, all different.
  bool first_cells_are_ids() const {
    std::unordered_set<std::string_view> seen;
    PagesBehind pages(std::as_bytes(std::span(records_.text())), records_.release());
    for (std::int64_t r = layout_.first_row(); r < records_.size(); ++r) {
      pages.passed(static_cast<std::size_t>(records_.start(r)));
      if ((r & 0xFFF) == 0) request_.context.check_stop();
      CellReader reader = records_.cells(r);
      Cell cell;
      reader.next(cell);
      const auto number = style_.parse(cell.text);
      if (style_.is_missing(cell.text) || (number && *number != std::trunc(*number))) return false;
      if (!seen.insert(cell.text).second) return false;
    }
    return true;
  }

  void find_label_column() {
    const auto found = find_column(columns(), options_.id_column);
    if (!found) throw_no_column(columns(), "id", options_.id_column);
    layout_.label_column = *found;
  }

  void find_feature_labels() {
    if (!options_.id_column.empty()) {
      find_label_column();
    } else if (gct_ != nullptr || (layout_.has_header() && marks_feature_names(layout_.header[0]))) {
      layout_.label_column = 0;
    } else if (records_.size() > layout_.first_row()) {
      CellReader reader = records_.cells(layout_.first_row());
      Cell cell;
      reader.next(cell);
      if (!style_.is_numeric(cell.text)) layout_.label_column = 0;
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
    auto found = find_targets(rows, request_);
    if (!found) return;
    layout_.target_rows = std::move(*found);
    // A first row of class names looks like a header: the user knows better.
    if (layout_.is_target_row(0) && gct_ == nullptr) layout_.header.clear();
  }

  void check_not_empty() const {
    if (layout_.value_rows == 0) {
      throw InputError(fmt::format("{}: the table has {} but no rows of values below", request_.name,
                                   layout_.has_header() ? "a header" : "a target"));
    }
    if (layout_.values_per_row() == 0) {
      throw InputError(
          fmt::format("{}: no column of values is left beside {}{}; if columns are not separated by {}, say by what "
                      "with {}",
                      request_.name, layout_.label_column == TextLayout::kNone ? "" : "the ids",
                      layout_.target_columns.empty()              ? ""
                      : layout_.label_column == TextLayout::kNone ? "the target"
                                                                  : " and the target",
                      records_.delimiter() == '\t' ? "tabs" : in_quotes(std::string(1, records_.delimiter())),
                      option("delimiter")));
    }
  }

  TextPlaces places() const { return {request_.name, records_, layout_}; }

  const TextRecords& records_;
  const ReadRequest& request_;
  const ReadOptions& options_;
  const NumberStyle& style_;
  const GctSizes* gct_;
  TextLayout layout_;
};

}  // namespace

TextLayout find_layout(const TextRecords& records, const ReadRequest& request, const NumberStyle& style,
                       const GctSizes* gct) {
  return LayoutFinder(records, request, style, gct).find();
}

std::int64_t TextLayout::record_of(std::int64_t row) const {
  std::vector<std::int64_t> rising = target_rows;
  std::sort(rising.begin(), rising.end());
  std::int64_t record = first_row() + row;
  for (const std::int64_t target : rising) record += target >= first_row() && record >= target ? 1 : 0;
  return record;
}

std::vector<std::int64_t> TextLayout::value_columns() const {
  std::vector<std::int64_t> values;
  for (std::int64_t column = 0; column < columns; ++column) {
    if (is_value(column)) values.push_back(column);
  }
  return values;
}

std::vector<std::string> TextLayout::feature_names() const {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& from, std::int64_t at) {
    const auto place = static_cast<std::size_t>(at);
    names.push_back(place < from.size() && !from[place].empty() ? from[place] : fmt::format("f{}", names.size()));
  };
  if (rows_are_features) {
    for (std::int64_t row = 0; row < value_rows; ++row) add(row_labels, record_of(row));
  } else {
    for (const std::int64_t column : value_columns()) add(header, column);
  }
  return names;
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
