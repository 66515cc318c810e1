// Delimited text cut into records and cells. A record is a row of the table: one line, or several when a quoted cell
// holds line breaks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/context.h"

namespace land {

struct Cell {
  std::string_view text;  // blanks around it removed, outer quotes removed, "" inside quotes left as it is
  bool quoted = false;
  bool malformed = false;   // something follows the closing quote
  std::string str() const;  // "" undone, in UTF-8
};

// The cells of one record, left to right; an empty record has one empty cell. Between blanks as delimiters, several
// count as one, and those at either end of the record count for nothing.
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
    if (delimiter_ == ' ') {
      while (end != end_ && *end == ' ') ++end;
      done_ = end == end_;
      at_ = end;
      return;
    }
    done_ = end == end_;
    at_ = done_ ? end_ : end + 1;
  }

 private:
  const char* at_;
  const char* end_;
  char delimiter_;
  bool done_ = false;
};

// What a user calls a delimiter: one character, or tab, comma, semicolon, space, pipe; '\0' for an empty word. Throws
// InputError for anything else.
char delimiter_of(const std::string& word);

// Views into the text, which must outlive it.
class TextRecords {
 public:
  // Removes a byte-order mark, empty lines at the end, comment lines (#) and Excel's `sep=;` at the top; finds the
  // delimiter, if it is not given, and where each record begins. The delimiter is the first of tab, semicolon, comma
  // and bar that stands equally often in all of the first lines; else blanks, if each line has a number then and the
  // name does not promise another delimiter; else the most frequent one; else that of the name (.tsv). The last comment
  // line is the header, its # removed, if it has as many cells as the line below, more than one, and either `#` is the
  // beginning of a word or the line below has a number. Throws InputError for an empty file, bytes that are not text, a
  // quote that is never closed. One pass at memory speed; 8 bytes a record.
  struct Given {
    bool release = false;         // the text is mapped, and pages are let go behind
    char delimiter = '\0';        // '\0': to be found
    std::int64_t first_line = 1;  // of the text, in its file
  };
  TextRecords(std::string_view text, const std::string& name, const Context& context)
      : TextRecords(text, name, context, Given()) {}
  TextRecords(std::string_view text, const std::string& name, const Context& context, const Given& given);

  std::int64_t size() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  char delimiter() const { return delimiter_; }
  std::string_view text() const { return text_; }
  bool release() const { return release_; }
  // Between semicolons: some cell is written with a decimal comma.
  bool decimal_comma() const { return decimal_comma_; }
  std::int64_t start(std::int64_t record) const { return starts_[static_cast<std::size_t>(record)]; }
  std::string_view operator[](std::int64_t record) const;  // without its line ending
  CellReader cells(std::int64_t record) const { return {(*this)[record], delimiter_}; }

  // Line of the file on which the record begins, from 1.
  std::int64_t line(std::int64_t record) const {
    return lines_.empty() ? record + first_line_ : lines_[static_cast<std::size_t>(record)];
  }
  std::int64_t first_line() const { return first_line_; }
  // All of them when some record spans lines, else empty.
  const std::vector<std::int64_t>& lines() const { return lines_; }

 private:
  void skip_line();
  void find_delimiter(const std::string& name);
  void skip_comments(const std::string& name);
  void find_records(const std::string& name, const Context& context);

  std::string_view text_;
  char delimiter_ = ',';
  char line_end_ = '\n';
  bool release_ = false;
  bool decimal_comma_ = false;
  std::int64_t first_line_ = 1;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> lines_;
};

}  // namespace land
