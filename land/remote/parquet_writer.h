// Writes a block table as Parquet: four columns, a row in every group, nothing compressed. Debian has no library for it
// that C++ could use; what is needed of the format is little. pyarrow and Spark read it (python/tests/clusters).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "land/files/atomic_file.h"

namespace land {

// The file is there when commit() has returned, or not at all. Every failure is an InputError naming the file and the
// reason. Not thread-safe.
class ParquetWriter {
 public:
  explicit ParquetWriter(const std::string& path);

  // A row: the cell's first feature, how many it has, and its bytes. `head`: of the table, with its first cell; else
  // empty.
  void append(std::int64_t first, std::int64_t count, std::string_view head, std::string_view cell);
  void commit();

  std::int64_t bytes() const { return at_; }  // so far

 private:
  // Where the pages of a row's columns are, and what they take.
  struct Chunk {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };
  struct Row {
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool has_head = false;
    std::vector<Chunk> chunks;
  };

  Chunk put_page(std::string_view before, std::string_view value);
  void write(std::string_view bytes);
  std::string footer() const;

  AtomicFile file_;
  std::int64_t at_ = 0;
  std::vector<Row> rows_;
};

}  // namespace land
