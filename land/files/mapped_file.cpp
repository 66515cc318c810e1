#include "land/files/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

#include "land/base/aligned.h"
#include "land/files/files_in_use.h"
#include "land/files/shortened_files.h"

namespace land {
namespace {

[[noreturn]] void throw_errno(const std::string& path, int error) {
  const std::string message = fmt::format("{}: cannot read the file: {}", path, std::generic_category().message(error));
  if (error == ENOENT) throw FileNotFound(message);
  throw InputError(message);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

int open_file(const std::string& path, const Context& context) {
  while (true) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0) return fd;
    if (errno != EINTR) throw_errno(path, errno);
    context.check_stop();
  }
}

Bytes read_to_end(int fd, const std::string& path, const Context& context) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  auto buffer = std::make_shared<AlignedBytes>();
  std::size_t size = 0;
  while (true) {
    context.check_stop();
    buffer->resize(size + kStep);
    const ssize_t got = read(fd, buffer->data() + size, kStep);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    context.report("reading", static_cast<double>(size), 0.0);
  }
  return {{buffer->data(), size}, buffer, false};
}

}  // namespace

Bytes open_bytes(const std::string& path, const Context& context) {
  // The system would silently stop at a zero byte and open another file.
  if (path.find('\0') != std::string::npos) throw_errno(path.substr(0, path.find('\0')), EINVAL);
  const Descriptor file(open_file(path, context));
  struct stat status{};
  if (fstat(file.get(), &status) != 0) throw_errno(path, errno);
  if (S_ISDIR(status.st_mode)) throw_errno(path, EISDIR);
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    throw InputError(fmt::format("{}: cannot read the file: neither a regular file nor a pipe", path));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > 0) {
    void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (address != MAP_FAILED) {
      std::shared_ptr<const void> owner = own_mapping(address, size, path);
      if (context.files) context.files->add_input(path, file.get(), owner);
      return {{static_cast<const std::byte*>(address), size}, std::move(owner), true};
    }
  }
  // Pipes, file systems (/proc) that tell no size or cannot map, and address space that is limited.
  if (context.files) context.files->add_input(path, file.get(), nullptr);
  return read_to_end(file.get(), path, context);
}

void advise(const Bytes& bytes, Access access) {
  if (!bytes.mapped || bytes.view.empty()) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.view.data());
  const std::uintptr_t first = begin / page * page;
  void* address = const_cast<std::byte*>(bytes.view.data() - (begin - first));
  const std::size_t size = bytes.view.size() + (begin - first);
  if (access == Access::kSequential) {
    madvise(address, size, MADV_SEQUENTIAL);
  } else if (size / page < static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 2) {
    madvise(address, size, MADV_WILLNEED);
  }
}

bool file_exists(const std::string& path) {
  struct stat status{};
  return !path.empty() && path.find('\0') == std::string::npos && stat(path.c_str(), &status) == 0;
}

}  // namespace land
