#include "cli/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "land/base/error.h"
#include "land/text/parse_number.h"

namespace land::cli {

std::vector<double> numbers_of(std::string_view key, const std::string& text) {
  std::vector<double> points;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::optional<double> point = parse_number(word);
    if (!point)
      throw InputError(fmt::format("--{} {}: '{}' is not a number; give points as -1,0,2.5", key, text, word));
    points.push_back(*point);
    begin = end + 1;
  }
  return points;
}

namespace {

// A whole number that is not out of all ranges; those of options are checked with all others.
std::optional<std::int64_t> whole_number(double number) {
  constexpr double kLarge = 1e15;
  if (number != std::trunc(number) || std::abs(number) > kLarge) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

void set_features(const std::string& text, SelectOptions& options) {
  options.automatic = text == "auto";
  if (options.automatic) return;
  const std::optional<double> number = parse_number(text);
  const std::optional<std::int64_t> count = number ? whole_number(*number) : std::nullopt;
  if (!count) throw InputError(fmt::format("--features {}: give a whole number of features, or auto", text));
  options.features = *count;
}

Bins bins_of(const std::string& text) {
  Bins bins;
  if (text.ends_with(',')) {
    bins.cuts = numbers_of("bins", text.substr(0, text.size() - 1));
    return bins;
  }
  const std::vector<double> numbers = numbers_of("bins", text);
  if (numbers.size() > 1) {
    bins.cuts = numbers;
    return bins;
  }
  const std::optional<std::int64_t> count = whole_number(numbers[0]);
  if (!count) throw InputError(fmt::format("--bins {}: give a whole number of bins, or cut points as -1,1", text));
  bins.count = *count;
  return bins;
}

}  // namespace land::cli
