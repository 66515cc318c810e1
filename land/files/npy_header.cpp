#include "land/files/npy_header.h"

#include <fmt/format.h>

namespace land {

std::string npy_header(std::string_view descr, std::string_view shape) {
  constexpr std::size_t kMagic = 10;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  dictionary.append(63 - (kMagic + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFF), static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace land
