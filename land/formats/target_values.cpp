#include "land/formats/target_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "land/base/error.h"
#include "land/files/mapped_pages.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {

namespace {

[[noreturn]] void throw_infinite(const std::string& place, const std::string& value, const char* what = "target") {
  throw InputError(
      fmt::format("{}: the {} is {} here; give it a finite value, or write NA", place, what, in_quotes(value)));
}

}  // namespace

void note_missing(const std::string& place, TargetColumn& target) {
  if (target.missing++ == 0) target.first_missing = place;
}

void note_first_text(const PlaceOf& place, TargetColumn& target) {
  if (target.is_text()) target.first_text = place(first_text(target));
}

TargetColumn target_from_text(std::string name, std::vector<std::string> text, const PlaceOf& place,
                              const NumberStyle& style, const char* what) {
  TargetColumn target;
  target.name = std::move(name);
  bool numeric = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    numeric = numeric && style.is_numeric(text[i]);
    if (!style.is_missing(text[i])) continue;
    note_missing(place(static_cast<std::int64_t>(i)), target);
    text[i].clear();
  }
  if (!numeric) {
    target.text = std::move(text);
    note_first_text(place, target);
    return target;
  }
  target.numbers.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<double> value =
        text[i].empty() ? std::numeric_limits<double>::quiet_NaN() : style.parse(text[i]);
    if (!value) throw_infinite(place(static_cast<std::int64_t>(i)), text[i], what);
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
    pages.passed(static_cast<std::size_t>(matrix.row(i)) * step);
    const double value = matrix.at(i, column);
    if (matrix.dtype == DType::kBool) {
      target.text.emplace_back(value == 0.0 ? "false" : "true");
      continue;
    }
    if (std::isinf(value)) throw_infinite(place(i), fmt::format("{}", value));
    if (std::isnan(value)) note_missing(place(i), target);
    target.numbers.push_back(value);
  }
  return target;
}

}  // namespace land
