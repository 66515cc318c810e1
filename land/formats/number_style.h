// How a text table writes numbers and missing values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace land {

class NumberStyle {
 public:
  // A point, and the usual words for missing values (is_missing).
  NumberStyle() = default;
  // `missing`: further words for missing values, exactly as written. Those that are numbers mean every cell of that
  // value: -9 also -9.0.
  explicit NumberStyle(std::span<const std::string> missing, bool decimal_comma = false);

  bool decimal_comma() const { return decimal_comma_; }
  // Cells that parse_number_at understands mean what it says.
  bool is_plain() const { return !decimal_comma_ && numbers_.empty(); }

  bool is_missing(std::string_view cell) const;
  // The whole cell as a finite number that is not missing.
  std::optional<double> parse(std::string_view cell) const;
  // A number, finite or not, or a missing value; anything else is text.
  bool is_numeric(std::string_view cell) const;
  // The cell with a point in place of a decimal comma; itself if it has none.
  std::string with_point(std::string_view cell) const;

 private:
  std::vector<std::string> words_;
  std::vector<double> numbers_;
  bool decimal_comma_ = false;
};

// Digits, one comma, digits, and perhaps a sign and an exponent: 1,5 or -0,25e3.
bool is_decimal_comma(std::string_view cell);

}  // namespace land
