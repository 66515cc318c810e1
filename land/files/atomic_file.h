// A file that is either there as a whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "land/base/signal_safe_names.h"

namespace land {

// Writes under a temporary name in the folder of `path`; commit() makes it `path`, replacing what was there. Destroyed
// without commit(), nothing stays behind and an older file is untouched. A symbolic link is followed; a device or a
// pipe is written to directly. What a killed process left behind of the same file is removed. Every failure is an
// InputError naming `path` and the reason. A process that may meet a limit on file sizes should ignore SIGXFSZ.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  // For a file that a library also writes, under the name temporary(): nothing is buffered. Empty: a device or a pipe.
  const std::string& temporary() const { return temporary_; }
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  std::int64_t size() const;
  // Everything is on the disk under its own name when this returns.
  void commit();

  const std::string& path() const { return path_; }

 private:
  void write_through(const char* data, std::size_t size);
  void flush();
  void forget_temporary();
  [[noreturn]] void fail(int reason) const;

  std::string path_;         // as asked for: for messages
  std::string destination_;  // links followed
  std::string temporary_;    // empty: writing to the destination itself
  std::string buffer_;
  int descriptor_ = -1;
  SignalSafeNames::Entry* unfinished_ = nullptr;  // as long as the temporary file is there
};

// Removes what all AtomicFiles of this process have written so far. Safe in a signal handler, which must then end the
// process.
void remove_unfinished_files();

// Writes `text` to `path` as a whole.
void write_atomically(const std::string& path, std::string_view text);

// Throws now what AtomicFile would throw later, before long work is lost: a missing folder, a folder in the file's
// place.
void check_writable(const std::string& path);

}  // namespace land
