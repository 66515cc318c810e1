#include "land/formats/gct.h"

#include <fmt/format.h>

#include <vector>

#include "land/base/error.h"
#include "land/formats/text_records.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

std::string_view line_at(std::string_view text, std::size_t& at) {
  const std::size_t stop = text.find('\n', at);
  std::string_view line = text.substr(at, stop == std::string_view::npos ? stop : stop - at);
  at = stop == std::string_view::npos ? text.size() : stop + 1;
  while (line.ends_with('\r') || line.ends_with('\t') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

bool is_version(std::string_view line) { return line == "#1.2" || line == "#1.3"; }

}  // namespace

bool is_gct(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t at = text.starts_with(kMark) ? kMark.size() : 0;
  return is_version(line_at(text.substr(0, 64), at));
}

GctSizes read_gct_sizes(std::string_view text, const std::string& name) {
  GctSizes sizes;
  sizes.begin = text.starts_with(kMark) ? kMark.size() : 0;
  const bool fields = line_at(text, sizes.begin) == "#1.3";
  const std::string_view line = line_at(text, sizes.begin);
  std::vector<std::int64_t> numbers;
  bool valid = true;
  CellReader reader(line, line.find('\t') == std::string_view::npos ? ' ' : '\t');
  for (Cell cell; valid && reader.next(cell);) {
    const auto number = parse_index(cell.text);
    valid = number.has_value() && *number <= static_cast<long long>(text.size());
    if (valid) numbers.push_back(*number);
  }
  if (!valid || numbers.size() != (fields ? 4 : 2)) {
    throw InputError(fmt::format("{}: row 2: {} where GCT has {}; write the file again", name, in_quotes(line),
                                 fields ? "the numbers of features, samples, fields of features and fields of samples"
                                        : "the numbers of features and samples"));
  }
  sizes.features = numbers[0];
  sizes.samples = numbers[1];
  sizes.feature_fields = fields ? numbers[2] : 1;
  sizes.sample_fields = fields ? numbers[3] : 0;
  return sizes;
}

}  // namespace land
