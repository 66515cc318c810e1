#include "land/files/scratch_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/write_all.h"

namespace land {

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

ScratchFile::ScratchFile(std::string folder) : folder_(std::move(folder)) {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
  // Not all file systems know files without a name.
  std::string name = folder_ + "/.land.XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
  ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

void ScratchFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  if (const int reason = write_all_at(descriptor_, offset, bytes); reason != 0) fail(reason);
}

void ScratchFile::read_at(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(got < 0 ? errno : EIO);
    offset += got;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

Bytes ScratchFile::map(std::int64_t size) const {
  if (size == 0) return {};
  const auto bytes = static_cast<std::size_t>(size);
  void* address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (address == MAP_FAILED) fail(errno);
  std::shared_ptr<const void> owner(address, [bytes](void* mapping) { ::munmap(mapping, bytes); });
  return {{static_cast<const std::byte*>(address), bytes}, std::move(owner), true};
}

void ScratchFile::fail(int reason) const {
  throw InputError(
      fmt::format("{}: cannot keep there what does not fit in memory: {}; make room, set TMPDIR to another folder, or "
                  "allow more {}",
                  folder_, std::strerror(reason), option("memory")));
}

}  // namespace land
