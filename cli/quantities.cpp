#include "cli/quantities.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "land/base/error.h"

namespace land::cli {

namespace {

// Three figures and a prefix: 12.3 k.
std::string with_prefix(double number, const char* unit) {
  const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (std::abs(number) >= 999.5 && prefix + 1 < std::size(prefixes)) {
    number /= 1000.0;
    ++prefix;
  }
  const bool whole = prefix == 0 && number == std::floor(number);
  const int decimals = whole || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  const std::string name = fmt::format("{}{}", prefixes[prefix], unit);
  return fmt::format("{:.{}f}{}{}", number, decimals, name.empty() ? "" : " ", name);
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > first + 3;) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

std::string counted(std::int64_t number, const char* noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string bytes(double number) { return with_prefix(number, "B"); }

std::int64_t parse_bytes(const std::string& text, const char* option) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  constexpr std::string_view kUnits = "KMGT";
  double unit = 1.0;
  bool known = error == std::errc() && rest == end;
  if (error == std::errc() && rest + 1 == end) {
    const auto power = kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(*rest))));
    known = power != std::string_view::npos;
    if (known) unit = std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
  }
  constexpr double kMost = 1e18;
  if (!known || !(number * unit >= 1.0) || number * unit > kMost) {
    throw InputError(fmt::format("{} {}: not a size; give bytes, or a number with K, M, G or T, such as 512M", option,
                                 text.empty() ? "''" : text));
  }
  return static_cast<std::int64_t>(number * unit);
}

std::string duration(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string short_number(double number) { return with_prefix(number, ""); }

}  // namespace land::cli
