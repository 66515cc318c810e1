#include "land/files/files_in_use.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "land/base/error.h"

namespace land {
namespace {

constexpr std::string_view kStandardOutput = "/dev/stdout";

std::string name_of(const std::string& path) { return path == kStandardOutput ? "standard output" : path; }

// The place of a file that may not exist yet, links followed.
std::string place_of(const std::string& path) {
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? path : place.string();
}

bool same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

}  // namespace

struct FilesInUse::Output {
  std::string path;
  std::string place;
  bool exists = false;
  bool regular = true;
  dev_t device = 0;
  ino_t number = 0;
};

struct FilesInUse::Input {
  std::string path;
  struct stat opened{};
  int descriptor = -1;              // of an open file
  std::weak_ptr<const void> bytes;  // of an open file

  bool is(const Output& output) const {
    return output.exists && output.regular && output.device == opened.st_dev && output.number == opened.st_ino;
  }
};

FilesInUse::FilesInUse() = default;

FilesInUse::~FilesInUse() {
  for (const Input& input : inputs_) {
    if (input.descriptor >= 0) ::close(input.descriptor);
  }
}

void FilesInUse::refuse_if_same(const Input& input, const Output& output) {
  if (!input.is(output)) return;
  const std::string as = input.path == output.path ? "" : fmt::format(" as {}", input.path);
  throw InputError(
      fmt::format("{}: it is read{} and would be overwritten; write to another file", name_of(output.path), as));
}

void FilesInUse::refuse_if_output(const Input& input) const {
  for (const Output& output : outputs_) refuse_if_same(input, output);
}

FilesInUse::Output FilesInUse::output_of(const std::string& path) {
  Output output;
  output.path = path;
  output.place = place_of(path);
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    output.exists = true;
    output.regular = S_ISREG(found.st_mode);
    output.device = found.st_dev;
    output.number = found.st_ino;
  }
  return output;
}

void FilesInUse::check_output(const std::string& path) {
  const Output output = output_of(path);
  const std::scoped_lock lock(mutex_);
  for (const Input& input : inputs_) refuse_if_same(input, output);
}

void FilesInUse::add_output(const std::string& path) {
  Output output = output_of(path);
  const std::scoped_lock lock(mutex_);
  for (const Output& other : outputs_) {
    const bool same_file =
        output.exists && other.exists && output.device == other.device && output.number == other.number;
    if (output.regular && (same_file || output.place == other.place)) {
      throw InputError(
          fmt::format("{}: two outputs go to this file, the other as {}; write one of them to another file",
                      name_of(path), name_of(other.path)));
    }
  }
  for (const Input& input : inputs_) refuse_if_same(input, output);
  outputs_.push_back(std::move(output));
}

void FilesInUse::add_input(const std::string& path) {
  Input input;
  input.path = path;
  if (::stat(path.c_str(), &input.opened) != 0 || !S_ISREG(input.opened.st_mode)) return;
  const std::scoped_lock lock(mutex_);
  refuse_if_output(input);
  inputs_.push_back(std::move(input));
}

void FilesInUse::add_input(const std::string& path, int descriptor, const std::shared_ptr<const void>& bytes) {
  Input input;
  input.path = path;
  if (::fstat(descriptor, &input.opened) != 0 || !S_ISREG(input.opened.st_mode)) return;
  input.bytes = bytes;
  const std::scoped_lock lock(mutex_);
  refuse_if_output(input);
  input.descriptor = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (input.descriptor < 0) {
    throw InputError(fmt::format("{}: cannot read the file: {}", path, std::generic_category().message(errno)));
  }
  inputs_.push_back(std::move(input));
}

void FilesInUse::check_unchanged() {
  const std::scoped_lock lock(mutex_);
  for (Input& input : inputs_) {
    struct stat now{};
    if (input.descriptor < 0 || ::fstat(input.descriptor, &now) != 0) continue;
    const bool shorter = now.st_size < input.opened.st_size;
    if (shorter || now.st_size != input.opened.st_size || !same_time(now.st_mtim, input.opened.st_mtim)) {
      throw InputError(
          fmt::format("{}: the file was {} by another program while it was read; wait until it is "
                      "written, and run this again",
                      input.path, shorter ? "shortened" : "changed"));
    }
    if (input.bytes.expired()) ::close(std::exchange(input.descriptor, -1));
  }
}

}  // namespace land
