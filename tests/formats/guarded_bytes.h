// Bytes between two pages that must not be touched: a reader that looks beyond its input ends the test.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "land/formats/read_table.h"

namespace land::test {

// At the end of their pages, or at the beginning.
inline Bytes guarded_bytes(std::string_view content, bool at_end) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t room = (content.size() + page - 1) / page * page;
  const std::size_t size = room + 2 * page;
  void* const address = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::runtime_error("mmap");
  std::shared_ptr<const void> owner(address, [size](void* mapping) { munmap(mapping, size); });
  std::byte* const begin = static_cast<std::byte*>(address) + page;
  if (room > 0 && mprotect(begin, room, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("mprotect");
  std::byte* const to = at_end ? begin + (room - content.size()) : begin;
  if (!content.empty()) std::memcpy(to, content.data(), content.size());
  return {{to, content.size()}, owner, false};
}

}  // namespace land::test
