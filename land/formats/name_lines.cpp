#include "land/formats/name_lines.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "land/text/printable.h"

namespace land {

NameLines::NameLines(Bytes bytes) : bytes_(std::move(bytes)) {
  const auto* text = reinterpret_cast<const char*>(bytes_.view.data());
  const std::size_t size = bytes_.view.size();
  for (std::size_t at = 0; at < size;) {
    begins_.push_back(at);
    const void* end = std::memchr(text + at, '\n', size - at);
    at = end == nullptr ? size : static_cast<std::size_t>(static_cast<const char*>(end) - text) + 1;
  }
}

std::string NameLines::at(std::int64_t line) const {
  const auto number = static_cast<std::size_t>(line);
  const std::size_t end = number + 1 < begins_.size() ? begins_[number + 1] : bytes_.view.size();
  std::string_view name(reinterpret_cast<const char*>(bytes_.view.data()) + begins_[number], end - begins_[number]);
  while (name.ends_with('\n') || name.ends_with('\r')) name.remove_suffix(1);
  return to_utf8(name);
}

}  // namespace land
