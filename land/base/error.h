// The one exception for a user's mistake: bad input, bad option, bad file.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

namespace land {

// `what()` is one line that says what was asked, what was found (file, row, column, sizes) and what to do about it.
// The command line prints it and exits with 2; Python raises ValueError.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The same for a file that does not exist. Python raises FileNotFoundError.
class FileNotFound : public InputError {
 public:
  using InputError::InputError;
};

// Memory that the system would not give, where it is known how much was asked for. Python raises MemoryError.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::size_t bytes) : bytes_(bytes) {}
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
};

// A result whose certificate is not valid: there is none. Exit code 1; Python raises land.CertificateError.
class NotCertified : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The work was stopped from outside (Ctrl-C). Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace land
