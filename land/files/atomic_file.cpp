#include "land/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "land/base/checksum.h"
#include "land/base/error.h"
#include "land/base/write_all.h"

namespace land {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string followed(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

// Hidden, and of a length that every file system takes, however long the name of the destination is. The same for every
// process, so that what one leaves behind when it is killed is found by the next that writes the same file.
std::string temporary_name(const std::string& destination, int attempt) {
  const std::filesystem::path path(destination);
  std::uint64_t hash = 0;
  for (const char c : path.filename().string()) hash = mix(hash ^ static_cast<unsigned char>(c));
  return (path.parent_path() / fmt::format(".land.{:016x}.{}.tmp", hash, attempt)).string();
}

// A temporary file is locked as long as its writer lives. False if someone took it for left over before it was.
bool lock_new(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// Removes a temporary file whose writer is gone. False if there is none, or its writer lives.
bool remove_left_over(const std::string& temporary) {
  const int descriptor = ::open(temporary.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct stat locked{};
  struct stat named{};
  // While it is locked nobody else removes it, and while it is there nobody makes another.
  const bool removed = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &locked) == 0 &&
                       ::stat(temporary.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
                       ::unlink(temporary.c_str()) == 0;
  ::close(descriptor);
  return removed;
}

bool is_special(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

SignalSafeNames& unfinished_files() {
  static auto& names = *new SignalSafeNames;  // lives as long as the process
  return names;
}

}  // namespace

void remove_unfinished_files() {
  unfinished_files().visit([](const char* name, std::uintptr_t, std::uintptr_t) { ::unlink(name); });
}

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
  int attempt = 0;
  while (descriptor_ < 0) {
    temporary_ = temporary_name(destination_, attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail(errno);
    if (descriptor_ >= 0 && !lock_new(descriptor_)) ::close(std::exchange(descriptor_, -1));
    if (descriptor_ < 0 && !remove_left_over(temporary_)) ++attempt;
  }
  unfinished_ = unfinished_files().add(temporary_);
  while (remove_left_over(temporary_name(destination_, ++attempt))) {
  }
  // A file that others may not read stays so; where that cannot be done the new one has the usual rights.
  if (exists && ::fchmod(descriptor_, found.st_mode & 0777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());  // while it is locked, or it could be another's by now
  forget_temporary();
  ::close(descriptor_);
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
  if (const int reason = write_all_at(descriptor_, offset, bytes); reason != 0) fail(reason);
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
  // Renamed while it is locked, or another writer could take it for left over.
  if (!temporary_.empty() && ::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(errno);
  forget_temporary();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void AtomicFile::forget_temporary() {
  if (unfinished_ != nullptr) unfinished_files().remove(std::exchange(unfinished_, nullptr));
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
