#include "cli/shortened_file.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

#include "cli/exit_code.h"
#include "land/files/atomic_file.h"
#include "land/files/shortened_files.h"

namespace land::cli {

namespace {

std::atomic_flag ended;

// Runs in a signal handler: system calls only.
void end(const char* path) {
  // Several threads may meet the end of the file at once.
  while (ended.test_and_set()) ::pause();
  remove_unfinished_files();
  std::array<iovec, 4> parts{};
  std::size_t count = 0;
  const auto add = [&](const char* text) { parts[count++] = {const_cast<char*>(text), std::strlen(text)}; };
  if (::isatty(STDERR_FILENO) == 1) add("\r\033[K");  // in place of the progress
  add("land: ");
  add(path);
  add(": the file was shortened by another program while it was read; wait until it is written, and run this again\n");
  // Where nobody can read it, it is lost.
  if (::writev(STDERR_FILENO, parts.data(), static_cast<int>(count)) < 0) ::_exit(kBadInput);
  ::_exit(kBadInput);
}

}  // namespace

void end_on_shortened_file() { catch_shortened_files(end); }

}  // namespace land::cli
