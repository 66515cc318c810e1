#include "land/remote/parquet_writer.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "land/base/error.h"
#include "land/base/version.h"
#include "land/remote/compact_thrift.h"

namespace land {
namespace {

// Names and numbers of the format, as parquet.thrift has them.
constexpr std::string_view kMagic = "PAR1";
constexpr std::int32_t kInt64 = 2;
constexpr std::int32_t kByteArray = 6;
constexpr std::int32_t kRequired = 0;
constexpr std::int32_t kOptional = 1;
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kRunLengths = 3;
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kUncompressed = 0;

struct Column {
  std::string_view name;
  std::int32_t type;
  std::int32_t repetition;
};
constexpr std::array<Column, 4> kColumns{{
    {"first", kInt64, kRequired},
    {"count", kInt64, kRequired},
    {"head", kByteArray, kOptional},
    {"cell", kByteArray, kRequired},
}};

template <class T>
std::string little_endian(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

std::string length_of(std::string_view bytes) { return little_endian(static_cast<std::uint32_t>(bytes.size())); }

// Which of the one value of a page are there: a run of length 1.
std::string presence(bool there) {
  const std::string run = {2, there ? '\1' : '\0'};
  return length_of(run) + run;
}

}  // namespace

ParquetWriter::ParquetWriter(const std::string& path) : file_(path) { write(kMagic); }

void ParquetWriter::write(std::string_view bytes) {
  file_.write(bytes);
  at_ += std::ssize(bytes);
}

ParquetWriter::Chunk ParquetWriter::put_page(std::string_view before, std::string_view value) {
  const std::size_t size = before.size() + value.size();
  if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InputError(fmt::format("{}: 16 features take {} bytes, more than Parquet holds in a cell; too many samples",
                                 file_.path(), size));
  }
  const auto bytes = static_cast<std::int32_t>(size);
  CompactThrift header;
  header.put(1, kDataPage);
  header.put(2, bytes);
  header.put(3, bytes);
  header.begin_struct(5);
  header.put(1, std::int32_t{1});  // values
  header.put(2, kPlain);
  header.put(3, kRunLengths);
  header.put(4, kRunLengths);
  header.end();
  Chunk chunk{at_, 0};
  write(header.take());
  write(before);
  write(value);
  chunk.bytes = at_ - chunk.offset;
  return chunk;
}

void ParquetWriter::append(std::int64_t first, std::int64_t count, std::string_view head, std::string_view cell) {
  Row row{first, count, !head.empty(), {}};
  row.chunks.push_back(put_page("", little_endian(first)));
  row.chunks.push_back(put_page("", little_endian(count)));
  row.chunks.push_back(put_page(presence(row.has_head) + (row.has_head ? length_of(head) : ""), head));
  row.chunks.push_back(put_page(length_of(cell), cell));
  rows_.push_back(std::move(row));
}

std::string ParquetWriter::footer() const {
  using Element = CompactThrift::Element;
  CompactThrift thrift;
  thrift.put(1, std::int32_t{1});  // version
  thrift.begin_list(2, Element::kStruct, 1 + kColumns.size());
  thrift.begin_element();
  thrift.put(4, "block_table");
  thrift.put(5, static_cast<std::int32_t>(kColumns.size()));
  thrift.end();
  for (const Column& column : kColumns) {
    thrift.begin_element();
    thrift.put(1, column.type);
    thrift.put(3, column.repetition);
    thrift.put(4, column.name);
    thrift.end();
  }
  thrift.put(3, static_cast<std::int64_t>(rows_.size()));
  thrift.begin_list(4, Element::kStruct, rows_.size());
  for (const Row& row : rows_) {
    std::int64_t bytes = 0;
    thrift.begin_element();
    thrift.begin_list(1, Element::kStruct, kColumns.size());
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
      const Column& column = kColumns[c];
      const Chunk& chunk = row.chunks[c];
      bytes += chunk.bytes;
      thrift.begin_element();
      thrift.put(2, chunk.offset);
      thrift.begin_struct(3);
      thrift.put(1, column.type);
      thrift.begin_list(2, Element::kInt32, 2);
      thrift.put_element(kPlain);
      thrift.put_element(kRunLengths);
      thrift.begin_list(3, Element::kText, 1);
      thrift.put_element(column.name);
      thrift.put(4, kUncompressed);
      thrift.put(5, std::int64_t{1});
      thrift.put(6, chunk.bytes);
      thrift.put(7, chunk.bytes);
      thrift.put(9, chunk.offset);
      thrift.begin_struct(12);  // statistics, by which readers leave out rows
      thrift.put(3, std::int64_t{column.repetition == kOptional && !row.has_head});
      if (column.type == kInt64) {
        const std::string value = little_endian(c == 0 ? row.first : row.count);
        thrift.put(5, value);
        thrift.put(6, value);
      }
      thrift.end();
      thrift.end();
      thrift.end();
    }
    thrift.put(2, bytes);
    thrift.put(3, std::int64_t{1});
    thrift.end();
  }
  thrift.put(6, fmt::format("land {}", version()));
  // The order that the statistics mean: each type's own.
  thrift.begin_list(7, Element::kStruct, kColumns.size());
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    thrift.begin_element();
    thrift.begin_struct(1);
    thrift.end();
    thrift.end();
  }
  return thrift.take();
}

void ParquetWriter::commit() {
  const std::string end = footer();
  write(end);
  write(length_of(end));
  write(kMagic);
  file_.commit();
}

}  // namespace land
