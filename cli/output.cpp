#include "cli/output.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "cli/standard_output.h"
#include "land/base/error.h"
#include "land/files/atomic_file.h"

namespace land::cli {

namespace {

constexpr const char* kStandardOutput = "/dev/stdout";

}  // namespace

bool is_standard_output(const std::string& path) { return path.empty() || path == "-" || path == kStandardOutput; }

std::string name_of_output(const std::string& path) { return is_standard_output(path) ? "standard output" : path; }

OutputFormat format_of(const std::string& path) {
  if (is_standard_output(path) || path.ends_with(".tsv")) return OutputFormat::kTsv;
  if (path.ends_with(".csv")) return OutputFormat::kCsv;
  if (path.ends_with(".json")) return OutputFormat::kJson;
  throw InputError(fmt::format(
      "-o {}: the name must end in .tsv, .csv or .json, which is how the format is chosen; - is standard output",
      path));
}

void announce_output(const std::string& path, FilesInUse& files) {
  files.add_output(is_standard_output(path) ? kStandardOutput : path);
  if (!is_standard_output(path)) check_writable(path);
}

void write_output(const std::string& path, std::string_view text) {
  if (is_standard_output(path)) {
    write_standard_output(text);
  } else {
    write_atomically(path, text);
  }
}

void write_outputs(std::span<const OutputText> outputs) {
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (const OutputText& output : outputs) {
    files.push_back(std::make_unique<AtomicFile>(output.path));
    files.back()->write(output.text);
  }
  for (const auto& file : files) file->commit();
}

}  // namespace land::cli
