// Names of features in a file of their own, one a line: a million of them are not made into strings to print a hundred.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/formats/read_table.h"

namespace land {

class NameLines {
 public:
  explicit NameLines(Bytes bytes);

  std::int64_t size() const { return static_cast<std::int64_t>(begins_.size()); }
  std::string at(std::int64_t line) const;

 private:
  Bytes bytes_;
  std::vector<std::size_t> begins_;
};

}  // namespace land
