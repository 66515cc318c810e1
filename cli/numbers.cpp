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
  // What is out of range is refused with all other options; a fraction is out of it, too.
  constexpr double kFew = 1e6;
  const bool whole = numbers[0] == std::trunc(numbers[0]) && std::abs(numbers[0]) < kFew;
  if (!whole) throw InputError(fmt::format("--bins {}: give a whole number of bins, or cut points as -1,1", text));
  bins.count = static_cast<std::int64_t>(numbers[0]);
  return bins;
}

}  // namespace land::cli
