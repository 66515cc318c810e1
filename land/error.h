// The one exception for a user's mistake: bad input, bad option, bad file.
#pragma once

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

// The work was stopped from outside (Ctrl-C). Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace land
