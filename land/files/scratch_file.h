// A file for what does not fit in memory, without a name: it goes with the program, however that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "land/files/bytes.h"

namespace land {

// TMPDIR, else /tmp. Whether it is there is seen when something has to be put there, which is seldom.
std::string temporary_folder();

class ScratchFile {
 public:
  // In `folder`, which should be on a disk with room. Failures are InputErrors that name it and the reason.
  explicit ScratchFile(std::string folder);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  // Both are thread-safe.
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  void read_at(std::int64_t offset, std::span<std::byte> bytes) const;
  // The first `size` bytes, mapped read only; they outlive the object.
  Bytes map(std::int64_t size) const;

 private:
  [[noreturn]] void fail(int reason) const;

  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace land
