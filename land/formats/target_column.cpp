#include "land/formats/target_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/blocks/mapped_pages.h"
#include "land/error.h"
#include "land/formats/parse_number.h"
#include "land/formats/printable.h"

namespace land {

void throw_missing_target(const std::string& place, const std::string& value) {
  throw InputError(fmt::format("{}: the target has {} here; remove the sample or give it a value", place,
                               value.empty() ? "no value" : in_quotes(value)));
}

std::int64_t first_text(const TargetColumn& target) {
  const auto is_text = [](const std::string& value) { return !parse_number(value).has_value(); };
  const auto found = std::find_if(target.text.begin(), target.text.end(), is_text);
  return found == target.text.end() ? 0 : found - target.text.begin();
}

void note_first_text(const PlaceOf& place, TargetColumn& target) {
  if (target.is_text()) target.first_text = place(first_text(target));
}

TargetColumn target_from_text(std::string name, std::vector<std::string> text, const PlaceOf& place) {
  TargetColumn target;
  target.name = std::move(name);
  bool numeric = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_missing(text[i])) throw_missing_target(place(static_cast<std::int64_t>(i)), text[i]);
    numeric = numeric && is_numeric(text[i]);
  }
  if (!numeric) {
    target.text = std::move(text);
    note_first_text(place, target);
    return target;
  }
  target.numbers.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto value = parse_number(text[i]);
    if (!value) throw_missing_target(place(static_cast<std::int64_t>(i)), text[i]);
    target.numbers.push_back(*value);
  }
  return target;
}

TargetColumn target_from_matrix(std::string name, const Matrix& matrix, std::int64_t column, const PlaceOf& place) {
  TargetColumn target;
  target.name = std::move(name);
  // A column of a large array touches all of its pages.
  const std::size_t step = static_cast<std::size_t>(matrix.sample_stride) * size_of(matrix.dtype);
  PagesBehind pages(matrix.bytes(), matrix.mapped);
  for (std::int64_t i = 0; i < matrix.samples; ++i) {
    pages.passed(static_cast<std::size_t>(i) * step);
    const double value = matrix.at(i, column);
    if (matrix.dtype == DType::kBool) {
      target.text.emplace_back(value == 0.0 ? "false" : "true");
    } else {
      if (!std::isfinite(value)) throw_missing_target(place(i), fmt::format("{}", value));
      target.numbers.push_back(value);
    }
  }
  return target;
}

}  // namespace land
