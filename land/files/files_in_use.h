// The files that a piece of work reads and writes: nothing that it reads is written over, and what another program
// changed under its hands gives no result.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace land {

// Thread-safe. Every reader tells it what it opens (open_bytes does), every command what it will write. Links are
// followed, so that one file is one file under all its names; devices and pipes may be used twice.
class FilesInUse {
 public:
  FilesInUse();
  FilesInUse(const FilesInUse&) = delete;
  FilesInUse& operator=(const FilesInUse&) = delete;
  ~FilesInUse();

  // `path` will be written. Throws InputError if it is read, too, or written twice. "/dev/stdout" is standard output,
  // wherever that goes.
  void add_output(const std::string& path);
  // Throws InputError if `path` is read.
  void check_output(const std::string& path);
  // `path` will be read. Throws InputError if it is an output. A file that does not exist is left to who opens it.
  void add_input(const std::string& path);
  // The same of an open file, which must not change as long as `bytes` live.
  void add_input(const std::string& path, int descriptor, const std::shared_ptr<const void>& bytes);

  // Throws InputError that names a file whose size or time of change is not what it was when it was opened. Files whose
  // bytes are gone are looked at once more, and never again.
  void check_unchanged();

 private:
  struct Output;
  struct Input;
  static Output output_of(const std::string& path);
  static void refuse_if_same(const Input& input, const Output& output);
  void refuse_if_output(const Input& input) const;

  std::mutex mutex_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
};

// What `work` returns or throws; but when it throws and a file has changed, that is the error: it explains the other.
template <class Work>
auto or_blame_changes(const std::shared_ptr<FilesInUse>& files, const Work& work) {
  try {
    return work();
  } catch (...) {
    if (files) files->check_unchanged();
    throw;
  }
}

// What `work` returns, provided that no file has changed meanwhile.
template <class Work>
auto if_unchanged(const std::shared_ptr<FilesInUse>& files, const Work& work) {
  auto result = or_blame_changes(files, work);
  if (files) files->check_unchanged();
  return result;
}

}  // namespace land
