// Files as bytes: mapped where that is possible, read otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "land/context.h"
#include "land/formats/read_table.h"

namespace land {

// The bytes of a regular file, mapped read only (no copy, any size), or of a pipe, read to its end. Throws InputError
// with the system's reason for a missing, unreadable or unsuitable path (a directory, a device). A file that another
// program shortens while it is mapped ends this one: replace files by renaming.
Bytes open_bytes(const std::string& path, const Context& context);

enum class Access { kSequential, kWhole };

// Tells the system how mapped bytes will be used; a hint, never an error. kWhole asks for the file to be read ahead if
// it takes less than half of the machine's memory.
void advise(const Bytes& bytes, Access access);

// Lets go of the pages of mapped[first .. last), of a file mapped read only, and of neighbours that the system mapped
// along with them: they are read again when they are touched.
void release_pages(std::span<const std::byte> mapped, std::size_t first, std::size_t last);

// Lets go of pages behind one that goes over mapped bytes from front to back. Does nothing unless `active`.
class PagesBehind {
 public:
  PagesBehind(std::span<const std::byte> mapped, bool active) : mapped_(mapped), active_(active) {}
  PagesBehind(std::string_view mapped, bool active) : PagesBehind(std::as_bytes(std::span(mapped)), active) {}

  // Nothing before `at` is needed any more.
  void passed(std::size_t at) {
    constexpr std::size_t kHeld = std::size_t{4} << 20;
    if (!active_ || at - from_ < kHeld) return;
    release_pages(mapped_, from_, at);
    from_ = at;
  }

 private:
  std::span<const std::byte> mapped_;
  std::size_t from_ = 0;
  bool active_;
};

bool file_exists(const std::string& path);

}  // namespace land
