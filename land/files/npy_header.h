// The head of a file of NumPy's.
#pragma once

#include <string>
#include <string_view>

namespace land {

// Version 1.0 of the format, C order: the data, which follows, starts at a multiple of 64 bytes. `shape` as NumPy
// writes it, without parentheses: "3, 4" or "3,".
std::string npy_header(std::string_view descr, std::string_view shape);

}  // namespace land
