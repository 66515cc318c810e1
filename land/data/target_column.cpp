#include "land/data/target_column.h"

#include <algorithm>
#include <cmath>

#include "land/text/parse_number.h"

namespace land {

bool TargetColumn::is_missing(std::int64_t sample) const {
  const auto i = static_cast<std::size_t>(sample);
  return is_text() ? text[i].empty() : std::isnan(numbers[i]);
}

std::int64_t first_text(const TargetColumn& target) {
  const auto is_text = [](const std::string& value) { return !value.empty() && !parse_number(value).has_value(); };
  const auto found = std::find_if(target.text.begin(), target.text.end(), is_text);
  return found == target.text.end() ? 0 : found - target.text.begin();
}

}  // namespace land
