// A new HDF5 file into which the caller writes the data: HDF5 lays it out and describes it. The library behind it is
// not thread-safe: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace land {

enum class Hdf5Type : std::uint8_t { kUint8, kInt32, kUint32, kInt64, kUint64, kFloat64, kText };

inline constexpr std::int64_t kHdf5Page = 4096;

class Hdf5File {
 public:
  // Writes to the file `path`, which it empties; messages name `shown`. Every failure is an InputError.
  Hdf5File(const std::string& path, std::string shown);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();

  // Of the root group.
  void add_attribute(const char* name, std::string_view text);
  void add_attribute(const char* name, std::int64_t number);

  void add_group(const char* path);
  // Room for `count` elements, one after the other, under a path like "features/offset"; returns where in the file: at
  // the beginning of a page if it takes a page or more. Text has `width` bytes an element, padded with zeros.
  std::int64_t add_dataset(const std::string& path, Hdf5Type type, std::int64_t count, std::size_t width = 1);

  // Completes the file; its size is final.
  void close();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::string shown_;
  std::int64_t file_ = -1;  // hid_t
};

}  // namespace land
