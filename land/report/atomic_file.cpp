#include "land/report/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "land/error.h"

namespace land {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string followed(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

// Hidden, and of a length that every file system takes, however long the name of the destination is.
std::string temporary_name(const std::string& destination, int attempt) {
  return (std::filesystem::path(destination).parent_path() / fmt::format(".land.{}.{}.tmp", ::getpid(), attempt))
      .string();
}

bool is_special(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), destination_(followed(path_)) {
  buffer_.reserve(kBufferBytes);
  if (is_special(destination_)) {
    descriptor_ = ::open(destination_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  struct stat found{};
  const bool exists = ::stat(destination_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) fail(EISDIR);
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = temporary_name(destination_, attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail(errno);
  }
  // A file that others may not read stays so; where that cannot be done the new one has the usual rights.
  if (exists && ::fchmod(descriptor_, found.st_mode & 0777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  if (text.size() >= kBufferBytes) return write_through(text.data(), text.size());
  buffer_.append(text);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    offset += written;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::int64_t AtomicFile::size() const {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) fail(errno);
  return status.st_size;
}

void AtomicFile::commit() {
  flush();
  // Pipes and devices have nothing to bring to a disk.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  const int closing = descriptor_;
  descriptor_ = -1;
  if (::close(closing) != 0 || (!temporary_.empty() && ::rename(temporary_.c_str(), destination_.c_str()) != 0)) {
    const int reason = errno;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    fail(reason);
  }
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_through(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::fail(int reason) const {
  throw InputError(fmt::format("{}: cannot be written: {}", path_, std::strerror(reason)));
}

void write_atomically(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void check_writable(const std::string& path) {
  // Opening a pipe would wait for its reader, and closing it would send that reader away.
  if (!is_special(path)) AtomicFile file(path);
}

}  // namespace land
