#include "cli/target_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "land/base/error.h"
#include "land/report/json.h"
#include "land/report/tsv.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

constexpr std::string_view kTarget = "{target}";

// "OS_MONTHS,OS_STATUS" stays as it is; a path is no name.
std::string file_name_of(std::string target) {
  std::replace_if(
      target.begin(), target.end(), [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; }, '_');
  return target;
}

template <class Results>
std::string text_of(const Results& results, OutputFormat format) {
  switch (format) {
    case OutputFormat::kTsv:
      return to_tsv(results);
    case OutputFormat::kCsv:
      return to_csv(results);
    case OutputFormat::kJson:
      break;
  }
  return to_json(results);
}

}  // namespace

bool is_for_each_target(const std::string& output) { return output.find(kTarget) != std::string::npos; }

std::vector<std::string> files_of_targets(const std::string& output, std::span<const std::string> targets) {
  std::vector<std::string> files;
  for (const std::string& target : targets) {
    std::string file = output;
    const std::string name = file_name_of(target);
    for (std::size_t at = file.find(kTarget); at != std::string::npos; at = file.find(kTarget, at + name.size())) {
      file.replace(at, kTarget.size(), name);
    }
    if (const auto same = std::find(files.begin(), files.end(), file); same != files.end()) {
      const auto& first = targets[static_cast<std::size_t>(same - files.begin())];
      throw InputError(fmt::format("-o {}: targets {} and {} would both be written to {}; write one JSON for all",
                                   output, in_quotes(first), in_quotes(target), file));
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::string to_text(const Result& result, OutputFormat format) { return text_of(result, format); }

std::string to_text(std::span<const Result> results, OutputFormat format) { return text_of(results, format); }

}  // namespace land::cli
