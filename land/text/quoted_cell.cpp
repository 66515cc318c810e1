#include "land/text/quoted_cell.h"

namespace land {

std::string quoted_cell(std::string_view text, char delimiter) {
  const std::string special = {delimiter, '"', '\n', '\r'};
  if (text.find_first_of(special) == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace land
