// NumPy's .npy: a header and an array, used where it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/formats/read_request.h"
#include "land/formats/read_table.h"

namespace land {

struct NpyHeader {
  std::string descr;          // as written: "<f8"
  char kind = 0;              // 'f', 'i', 'u', 'b', 'U', 'S', ... as in NumPy
  std::size_t item_size = 0;  // bytes of one element
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  // where the array begins in the file
  std::int64_t elements = 0;
  std::size_t file_size = 0;  // header and array: what the header says
};

bool is_npy(std::span<const std::byte> bytes);

// Bytes from the start that hold the whole header, once the first 12 are known (versions 1.0, 2.0 and 3.0).
std::size_t npy_header_size(std::span<const std::byte> prefix, const std::string& name);

// `prefix` holds the whole header and maybe more. Throws InputError when it is malformed, when its shape overflows, or
// for types that are neither numbers nor strings, naming the type and what to do.
NpyHeader parse_npy_header(std::span<const std::byte> prefix, const std::string& name);

struct NpyArray {
  NpyHeader header;
  Bytes file;  // of exactly header.file_size bytes
};

// Throws InputError when the file is shorter or longer than its header says.
NpyArray open_npy(const Bytes& bytes, const std::string& name);

// The two-dimensional array as a matrix, without a copy unless it is big-endian or misaligned.
Matrix npy_matrix(const NpyArray& array, const std::string& name, Rows rows, const Context& context);

// An array of shape (n,), (n, 1) or (1, n) of numbers, booleans or strings as a target.
TargetColumn npy_target(const NpyArray& array, const std::string& name, std::string target_name,
                        const Context& context);

// A matrix as a whole table: Rows, the names of --names, and --target as a name or a number.
Table read_npy(const Bytes& bytes, const ReadRequest& request);
Table table_of_array(const NpyArray& array, const ReadRequest& request);

// Makes the columns that find_targets finds by name (of all columns, in Table::feature_names) or number the targets of
// the table. The first in the file is skipped, and its name taken out. False when there are none.
bool take_target_columns(const ReadRequest& request, Table& table);

// The strings of an array of shape (n,), (n, 1) or (1, n). Throws InputError for other shapes, and for numbers.
std::vector<std::string> npy_strings(const NpyArray& array, const std::string& name, const Context& context);

}  // namespace land
