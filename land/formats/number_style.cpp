#include "land/formats/number_style.h"

#include <algorithm>

#include "land/text/parse_number.h"

namespace land {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == cell.size()) return false;
  if (!is_digit(cell[comma - 1]) || !is_digit(cell[comma + 1]) || cell.find('.') != std::string_view::npos)
    return false;
  std::string number(cell);
  number[comma] = '.';
  return parse_number(number).has_value();
}

NumberStyle::NumberStyle(std::span<const std::string> missing, bool decimal_comma) : decimal_comma_(decimal_comma) {
  for (const std::string& word : missing) {
    words_.push_back(word);
    if (const auto number = parse_number(with_point(word))) numbers_.push_back(*number);
  }
}

std::string NumberStyle::with_point(std::string_view cell) const {
  std::string number(cell);
  if (decimal_comma_ && is_decimal_comma(cell)) number[number.find(',')] = '.';
  return number;
}

bool NumberStyle::is_missing(std::string_view cell) const {
  if (land::is_missing(cell)) return true;
  if (words_.empty()) return false;
  if (std::find(words_.begin(), words_.end(), cell) != words_.end()) return true;
  if (numbers_.empty()) return false;
  const auto number = parse_number(with_point(cell));
  return number && std::find(numbers_.begin(), numbers_.end(), *number) != numbers_.end();
}

std::optional<double> NumberStyle::parse(std::string_view cell) const {
  if (!words_.empty() && is_missing(cell)) return std::nullopt;
  if (!decimal_comma_) return parse_number(cell);
  // A point would be a decimal point in one cell and part of thousands in another.
  if (cell.find('.') != std::string_view::npos) return std::nullopt;
  return parse_number(with_point(cell));
}

bool NumberStyle::is_numeric(std::string_view cell) const {
  return is_missing(cell) || parse(cell) || (!decimal_comma_ && land::is_numeric(cell));
}

}  // namespace land
