// Delimited text cut into records and cells. A record is a row of the table: one line, or several when a quoted cell
// holds line breaks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "land/context.h"

namespace land {

struct Cell {
  std::string_view text;  // blanks around it removed, outer quotes removed, "" inside quotes left as it is
  bool quoted = false;
  bool malformed = false;   // something follows the closing quote
  std::string str() const;  // "" undone, in UTF-8
};

// The cells of one record, left to right; an empty record has one empty cell.
class CellReader {
 public:
  CellReader(std::string_view record, char delimiter)
      : at_(record.data()), end_(record.data() + record.size()), delimiter_(delimiter) {}
  bool next(Cell& cell);  // false when there is none left
  // Where the next cell begins, for callers that can read it faster; nullptr when there is none left.
  const char* position() const { return done_ ? nullptr : at_; }
  const char* end() const { return end_; }
  // Goes on after a cell that ends at `end`, which is a delimiter or the record's end.
  void resume(const char* end) {
    done_ = end == end_;
    at_ = done_ ? end_ : end + 1;
  }

 private:
  const char* at_;
  const char* end_;
  char delimiter_;
  bool done_ = false;
};

// Views into the text, which must outlive it.
class TextRecords {
 public:
  // Removes a byte-order mark and empty lines at the end, finds the delimiter (comma, tab or semicolon) from the first
  // lines, then by the name (.tsv), and where each record begins. Throws InputError for an empty file, bytes that are
  // not text, a quote that is never closed. One pass at memory speed; 8 bytes a record.
  // `release`: the text is mapped, and pages are let go behind.
  TextRecords(std::string_view text, const std::string& name, const Context& context, bool release = false);

  std::int64_t size() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  char delimiter() const { return delimiter_; }
  std::string_view text() const { return text_; }
  bool release() const { return release_; }
  std::int64_t start(std::int64_t record) const { return starts_[static_cast<std::size_t>(record)]; }
  std::string_view operator[](std::int64_t record) const;  // without its line ending
  CellReader cells(std::int64_t record) const { return {(*this)[record], delimiter_}; }

  // Line of the file on which the record begins, from 1.
  std::int64_t line(std::int64_t record) const {
    return lines_.empty() ? record + 1 : lines_[static_cast<std::size_t>(record)];
  }
  // All of them when some record spans lines, else empty.
  const std::vector<std::int64_t>& lines() const { return lines_; }

 private:
  void find_records(const std::string& name, const Context& context);

  std::string_view text_;
  char delimiter_ = ',';
  char line_end_ = '\n';
  bool release_ = false;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> lines_;
};

}  // namespace land
