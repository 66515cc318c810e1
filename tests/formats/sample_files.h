// Files for the tests of the readers, made in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "land/formats/read_table.h"
#include "tests/support/temporary_folder.h"

namespace land::test {

Bytes bytes_of(std::string content);

// From memory, as the program reads; one thread unless said otherwise.
Table read(const std::string& content, const std::string& name = "data.csv", const ReadOptions& options = {},
           int threads = 1);

// The message of the InputError; empty when there was none.
std::string error_of(const std::string& content, const std::string& name = "data.csv", const ReadOptions& options = {},
                     int threads = 1);

// An .npy file: `header` as NumPy writes it, padded to 64 bytes.
std::string npy(std::string_view descr, bool fortran, const std::vector<std::int64_t>& shape, std::string_view data,
                int version = 1);
std::string npy_raw(std::string header, std::string_view data, int version = 1, bool pad = true);

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string data(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  return data;
}

std::string big_endian(std::string data, std::size_t item);
std::string utf32(const std::vector<std::u32string>& texts, std::size_t length);

std::string npz(const std::vector<std::pair<std::string, std::string>>& arrays, bool deflated);
std::string gzip(std::string_view content);

// Feature k as doubles.
std::vector<double> feature(const Table& table, std::int64_t k);

}  // namespace land::test
