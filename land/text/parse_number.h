// Cells of text tables as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace land {

// Reads one decimal number at `begin`, an optional '+' or '-' first. Returns the end of it, or nullptr when there is
// none. inf and nan are read too; a number too small for a double gives 0, one too large infinity.
const char* parse_number_at(const char* begin, const char* end, double& value);

// The whole cell (blanks around it already gone) as a finite number.
std::optional<double> parse_number(std::string_view cell);

// Whether nothing is lost in float32; of NaN there is nothing to lose.
bool is_float32(double value);

// Whether nothing is lost in a Value: a 16-bit count, float32 or float64.
template <class Value>
bool is_exactly(double value) {
  if constexpr (std::is_same_v<Value, std::uint16_t>) {
    return value >= 0.0 && value <= 65535.0 && value == static_cast<double>(static_cast<Value>(value));
  } else {
    return std::is_same_v<Value, double> || is_float32(value);
  }
}

// Empty, NA, N/A, #N/A, NaN, null or '?', in any case: how tables write that a value is not known.
bool is_missing(std::string_view cell);

// A number, finite or not, or a missing value: what a column of numbers may hold. Anything else is text.
bool is_numeric(std::string_view cell);

// A whole non-negative number in plain digits, such as a column's; nullopt also when it does not fit.
std::optional<long long> parse_index(std::string_view text);

}  // namespace land
