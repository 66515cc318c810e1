#include "land/formats/id_warnings.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>

#include "land/base/option.h"
#include "land/formats/header_row.h"
#include "land/formats/refuse_text.h"
#include "land/text/id_words.h"
#include "land/text/printable.h"

namespace land {
namespace {

bool are_distinct_whole_numbers(const Matrix& matrix, std::int64_t feature) {
  std::unordered_set<double> seen;
  for (std::int64_t i = 0; i < matrix.samples; ++i) {
    const double value = matrix.at(i, feature);
    if (value != std::trunc(value) || !seen.insert(value).second) return false;
  }
  return true;
}

// 0, 1, 2, ... or 1, 2, 3, ... Two values are too few to tell.
bool counts_samples(const Matrix& matrix, std::int64_t feature) {
  const double first = matrix.at(0, feature);
  if (matrix.samples < 3 || (first != 0.0 && first != 1.0)) return false;
  for (std::int64_t i = 1; i < matrix.samples; ++i) {
    if (matrix.at(i, feature) != first + static_cast<double>(i)) return false;
  }
  return true;
}

// Empty: nothing is odd about the feature in this column.
std::string_view suspicion(const Table& table, const TextLayout& layout, std::int64_t feature, bool first,
                           bool marked) {
  if (first && layout.repeated_ids) {
    return "is headed as ids are, but its values repeat, are missing or are not whole, so it is taken for a feature";
  }
  if (marked && are_distinct_whole_numbers(table.matrix, feature)) return "looks like ids";
  return first && counts_samples(table.matrix, feature) ? "only counts the samples" : "";
}

}  // namespace

void warn_of_ids(const std::vector<std::string>& header, const TextLayout& layout, Table& table) {
  if (layout.rows_are_features) return;
  if (layout.label_column == 0 && !table.target && rows_look_like_features(header, table.sample_ids)) {
    table.warnings.push_back(rows_look_wrong());
  }
  std::int64_t feature = -1;
  for (std::int64_t column = 0; column < layout.columns; ++column) {
    if (!layout.is_value(column)) continue;
    ++feature;
    const std::string heading = header.empty() ? "" : header[static_cast<std::size_t>(column)];
    const bool marked = !heading.empty() && marks_sample_ids(heading);
    if (column > 0 && !marked) continue;
    // Categories are what the user says they are.
    if (table.nominal.contains(feature)) continue;
    const std::string_view words = suspicion(table, layout, feature, column == 0, marked);
    if (words.empty()) continue;
    const std::string name = table.feature_name(feature);
    table.warnings.push_back(fmt::format(
        "column {} {}: leave it out with {}, or name it with {}", in_quotes(name), words,
        option("exclude", as_patterns(std::array{name})),
        heading.empty() ? option("id", column) : option("id", as_words(std::array{name}, std::array{column}))));
  }
}

}  // namespace land
