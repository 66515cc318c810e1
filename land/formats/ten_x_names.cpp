#include "land/formats/ten_x_names.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "land/base/option.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "land/text/printable.h"

namespace land {
namespace {

using Columns = std::array<std::string, 2>;  // the first ones of a line

struct Lines {
  std::string path;  // empty: there is no such file
  std::vector<Columns> lines;
};

std::vector<Columns> read_lines(const std::string& path, const Context& context) {
  Bytes bytes = open_bytes(path, context);
  if (is_gzip(bytes.view)) bytes = gunzip(bytes, path, context);
  std::string_view text(reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size());
  std::vector<Columns> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view first = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(line.size(), first.size() + 1));
    lines.push_back({to_utf8(first), to_utf8(line.substr(0, line.find('\t')))});
  }
  return lines;
}

Lines find_lines(const std::string& prefix, std::initializer_list<const char*> names, const Context& context) {
  for (const char* name : names) {
    for (const char* ending : {".tsv", ".tsv.gz"}) {
      const std::string path = prefix + name + ending;
      if (file_exists(path)) return {path, read_lines(path, context)};
    }
  }
  return {};
}

std::vector<std::string> feature_names(const std::vector<Columns>& lines) {
  std::unordered_map<std::string_view, int> times;
  for (const auto& [id, symbol] : lines) ++times[symbol];
  std::vector<std::string> names;
  names.reserve(lines.size());
  for (const auto& [id, symbol] : lines) {
    const bool unique = times[symbol] == 1;
    names.push_back(symbol.empty() ? id : unique ? symbol : fmt::format("{} ({})", symbol, id));
  }
  return names;
}

}  // namespace

void add_ten_x_names(const ReadRequest& request, Table& table) {
  std::string_view prefix = request.name;
  if (prefix.ends_with(".gz")) prefix.remove_suffix(3);
  constexpr std::string_view kMatrix = "matrix.mtx";
  if (!request.from_file || !prefix.ends_with(kMatrix)) return;
  prefix.remove_suffix(kMatrix.size());
  Lines features = find_lines(std::string(prefix), {"features", "genes"}, request.context);
  Lines barcodes = find_lines(std::string(prefix), {"barcodes"}, request.context);

  const auto fits = [](const Lines& lines, std::int64_t count) { return std::ssize(lines.lines) == count; };
  if (request.options.rows == Rows::kSamples && !features.path.empty() && fits(features, table.samples()) &&
      (barcodes.path.empty() || fits(barcodes, table.features()))) {
    table.warnings.push_back(
        fmt::format("{} has a line for every row of the matrix, which is taken for a sample here; say {}",
                    features.path, option("rows", "features")));
    return;
  }
  const auto use = [&](const Lines& lines, std::int64_t count, const char* what) {
    if (lines.path.empty()) return false;
    if (fits(lines, count)) return true;
    table.warnings.push_back(fmt::format("{} was not used: it has {} lines, and there are {} {}", lines.path,
                                         lines.lines.size(), count, what));
    return false;
  };
  if (use(features, table.features(), "features")) table.feature_names = feature_names(features.lines);
  if (use(barcodes, table.samples(), "samples")) {
    for (Columns& line : barcodes.lines) table.sample_ids.push_back(std::move(line[0]));
  }
}

}  // namespace land
