#include "sample_files.h"

#include <fmt/format.h>
#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "cli/spelling.h"
#include "land/subset/apply_subset.h"

namespace land::test {

Bytes bytes_of(std::string content) {
  auto owner = std::make_shared<const std::string>(std::move(content));
  return {std::as_bytes(std::span(owner->data(), owner->size())), owner, false};
}

Table read(const std::string& content, const std::string& name, const ReadOptions& options, int threads) {
  Context context;
  context.threads = threads;
  Table table = read_table(bytes_of(content), name, options, context);
  apply_subset(table, options, context);
  return table;
}

std::string error_of(const std::string& content, const std::string& name, const ReadOptions& options, int threads) {
  try {
    read(content, name, options, threads);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

std::string npy_raw(std::string header, std::string_view data, int version, bool pad) {
  const std::size_t prologue = version == 1 ? 10 : 12;
  if (pad) {
    while ((prologue + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
  }
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < prologue - 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return file + header + std::string(data);
}

std::string npy(std::string_view descr, bool fortran, const std::vector<std::int64_t>& shape, std::string_view data,
                int version) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += fmt::format("{},", size);
  return npy_raw(
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", descr, fortran ? "True" : "False", sizes),
      data, version);
}

std::string big_endian(std::string data, std::size_t item) {
  for (std::size_t i = 0; i + item <= data.size(); i += item) {
    const auto first = data.begin() + static_cast<std::ptrdiff_t>(i);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(item));
  }
  return data;
}

std::string utf32(const std::vector<std::u32string>& texts, std::size_t length) {
  std::string data;
  for (std::u32string text : texts) {
    text.resize(length);
    data.append(reinterpret_cast<const char*>(text.data()), 4 * length);
  }
  return data;
}

std::string npz(const std::vector<std::pair<std::string, std::string>>& arrays, bool deflated) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npz";
  int error = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, &error);
  if (archive == nullptr) throw std::runtime_error("zip_open");
  for (const auto& [name, content] : arrays) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8));
    zip_set_file_compression(archive, index, deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  if (zip_close(archive) != 0) throw std::runtime_error("zip_close");
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string gzip(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("deflate");
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::vector<double> feature(const Table& table, std::int64_t k) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < table.matrix.samples; ++i)
    values.push_back(table.matrix.at(i, table.matrix.column_of(k)));
  return values;
}

}  // namespace land::test
