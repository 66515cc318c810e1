// Where a command writes: a file by its name, or standard output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "land/files/files_in_use.h"

namespace land::cli {

// No name, "-" and "/dev/stdout".
bool is_standard_output(const std::string& path);

// For messages.
std::string name_of_output(const std::string& path);

enum class OutputFormat : std::uint8_t { kTsv, kCsv, kJson };

// By the name's ending; TSV on standard output. Throws InputError for another ending.
OutputFormat format_of(const std::string& path);

// Before any work: throws InputError when `path` cannot be written, or is another output of this command. From now on
// it is refused as an input, too.
void announce_output(const std::string& path, FilesInUse& files);

// The whole of it, or nothing.
void write_output(const std::string& path, std::string_view text);

// Several files, each as a whole; none is there if one cannot be written.
struct OutputText {
  std::string path;
  std::string text;
};
void write_outputs(std::span<const OutputText> outputs);

}  // namespace land::cli
