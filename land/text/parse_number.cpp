#include "land/text/parse_number.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

namespace land {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// from_chars says "out of range" for both ends: too small if the exponent is negative or the whole part is zero.
bool is_tiny(std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent != std::string_view::npos) return exponent + 1 < number.size() && number[exponent + 1] == '-';
  for (const char c : number) {
    if (c == '.') return true;
    if (is_digit(c) && c != '0') return false;
  }
  return true;
}

}  // namespace

const char* parse_number_at(const char* begin, const char* end, double& value) {
  const char* first = begin;
  if (first != end && *first == '+') {
    ++first;
    if (first != end && *first == '-') return nullptr;
  }
  const auto [last, error] = std::from_chars(first, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {
    const std::string_view number(first, static_cast<std::size_t>(last - first));
    value = is_tiny(number) ? 0.0 : std::numeric_limits<double>::infinity();
  }
  return last;
}

std::optional<double> parse_number(std::string_view cell) {
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  if (parse_number_at(cell.data(), end, value) != end || cell.empty() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_float32(double value) {
  return std::isnan(value) || (std::fabs(value) <= FLT_MAX && static_cast<double>(static_cast<float>(value)) == value);
}

bool is_missing(std::string_view cell) {
  if (cell.size() > 4) return false;
  std::string lower(cell);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  constexpr std::array<std::string_view, 7> kMissing = {"", "na", "n/a", "#n/a", "nan", "null", "?"};
  return std::find(kMissing.begin(), kMissing.end(), lower) != kMissing.end();
}

bool is_numeric(std::string_view cell) {
  if (is_missing(cell)) return true;
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  return parse_number_at(cell.data(), end, value) == end;
}

std::optional<long long> parse_index(std::string_view text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

}  // namespace land
