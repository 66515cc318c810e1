#include "land/files/shortened_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <system_error>
#include <thread>

#include "land/base/signal_safe_names.h"
#include "land/text/printable.h"

namespace land {
namespace {

SignalSafeNames& mappings() {
  static auto& names = *new SignalSafeNames;  // lives as long as the process
  return names;
}

// Set before the handler is, which only reads them.
void (*end_process)(const char* path) = nullptr;
struct sigaction before{};
std::uintptr_t page_size = 0;

void on_fault(int number, siginfo_t* fault, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(fault->si_addr);
  bool ours = false;
  // Only the kernel's own signals have an address.
  if (fault->si_code > 0) {
    mappings().visit([&](const char* path, std::uintptr_t begin, std::uintptr_t end) {
      if (ours || address < begin || address >= end) return;
      if (end_process != nullptr) end_process(path);
      // A system call and nothing else: safe here, though POSIX does not promise it.
      const std::uintptr_t first = address / page_size * page_size;
      void* const rest = reinterpret_cast<void*>(first);  // NOLINT(performance-no-int-to-ptr)
      ours = ::mmap(rest, end - first, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    });
  }
  if (ours) return;
  // The fault happens again when this returns, and meets the handler that was there before.
  ::sigaction(number, &before, nullptr);
  if (fault->si_code <= 0) ::raise(number);
}

// Large files have large page tables: two threads take them down in half the time.
void unmap(void* mapping, std::size_t size) {
  constexpr std::size_t kLarge = std::size_t{64} << 20U;
  constexpr std::size_t kTable = std::size_t{2} << 20U;  // that one page of a page table maps
  if (size >= kLarge) {
    const std::size_t half = size / 2 / kTable * kTable;
    try {
      const std::jthread other([=] { ::madvise(mapping, half, MADV_DONTNEED); });
      ::madvise(static_cast<std::byte*>(mapping) + half, size - half, MADV_DONTNEED);
    } catch (const std::system_error&) {
      // No thread is to be had: the rest is done below.
    }
  }
  ::munmap(mapping, size);
}

}  // namespace

std::shared_ptr<const void> own_mapping(void* address, std::size_t size, const std::string& path) {
  SignalSafeNames::Entry* const entry = mappings().add(escape_controls(path), address, size);
  return {address, [size, entry](void* mapping) {
            mappings().remove(entry);
            unmap(mapping, size);
          }};
}

void catch_shortened_files(void (*end)(const char* path)) {
  mappings();
  end_process = end;
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, &before);
}

}  // namespace land
