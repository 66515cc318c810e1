#include "land/formats/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/blocks/matrix_source.h"
#include "land/blocks/nominal_source.h"
#include "land/error.h"
#include "land/formats/printable.h"

namespace land {
namespace {

// Position in the file of the index-th row (or column) that is not one of `others`.
std::int64_t position(std::int64_t index, const std::vector<std::int64_t>& others) {
  for (const std::int64_t other : others) {
    if (other > index) break;
    ++index;
  }
  return index;
}

}  // namespace

bool TargetColumn::is_missing(std::int64_t sample) const {
  const auto i = static_cast<std::size_t>(sample);
  return is_text() ? text[i].empty() : std::isnan(numbers[i]);
}

std::shared_ptr<const FeatureSource> Table::source(Missing missing) const {
  std::shared_ptr<const FeatureSource> source = encoded;
  if (!source) {
    source = std::make_shared<MatrixSource>(
        matrix, [this](std::int64_t sample, std::int64_t feature) { return cell(sample, feature); }, missing);
  }
  if (nominal.empty()) return source;
  const auto name = [this](std::int64_t feature) {
    return fmt::format("{}: feature {}", path, in_quotes(feature_name(feature)));
  };
  return std::make_shared<NominalSource>(std::move(source), nominal, name, missing);
}

std::int64_t Table::feature_with(std::int64_t number) const {
  if (feature_numbers.empty()) return number;
  return std::lower_bound(feature_numbers.begin(), feature_numbers.end(), number) - feature_numbers.begin();
}

void Table::check_has_features() const {
  if (features() < 1) throw InputError(fmt::format("{}: no features besides the target", path));
}

void Table::check_missing(Missing missing, std::int64_t values, std::int64_t first_feature) const {
  // A dense matrix has refused them already, with their place.
  if (missing != Missing::kError || values == 0) return;
  throw InputError(fmt::format("{}: {} missing values, the first in feature {}; choose --missing mean, ignore or level",
                               path, values, feature_name(first_feature)));
}

std::vector<std::string> Table::all_feature_names() const {
  if (!names) return feature_names;
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(names->size()));
  for (std::int64_t k = 0; k < names->size(); ++k) all.push_back(names->at(k));
  return all;
}

std::string Table::feature_name(std::int64_t feature) const {
  const auto k = static_cast<std::size_t>(feature);
  if (names) return names->at(feature);
  if (k < feature_names.size() && !feature_names[k].empty()) return feature_names[k];
  return fmt::format("f{}", number_of(feature));
}

std::string Table::cell(std::int64_t sample, std::int64_t feature) const {
  const std::string name = in_quotes(feature_name(feature));
  if (!sample_numbers.empty()) sample = sample_numbers[static_cast<std::size_t>(sample)];
  const std::int64_t number = number_of(feature);
  if (encoded) return fmt::format("{}: feature {}, sample {} (counted from 0)", path, name, sample);
  std::int64_t row = rows_are_features ? number : sample;
  std::int64_t column = rows_are_features ? sample : number;
  if (!text_format) {
    const std::int64_t skipped = skipped_column >= 0 ? skipped_column : matrix.skipped_column;
    (rows_are_features ? row : column) += skipped >= 0 && number >= skipped ? 1 : 0;
    return fmt::format("{}: row {}, column {} (counted from 0)", path, row, column);
  }
  row = position(row, other_rows);
  column = position(column, other_columns);
  const auto r = static_cast<std::size_t>(row);
  const std::int64_t line = r < row_lines.size() ? row_lines[r] : row + first_line;
  if (feature_names.empty()) return fmt::format("{}: row {}, column {}", path, line, column + 1);
  if (rows_are_features) return fmt::format("{}: row {} ({}), column {}", path, line, name, column + 1);
  return fmt::format("{}: row {}, column {} ({})", path, line, column + 1, name);
}

}  // namespace land
