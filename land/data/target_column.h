// A target as it was written, before anyone decided whether it holds classes or numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace land {

struct TargetColumn {
  std::string name;               // column name, or the file's name
  std::vector<std::string> text;  // as written, one per sample, when any value is not a number (or is a boolean)
  std::vector<double> numbers;    // one per sample otherwise; exactly one of the two is filled
  std::string path{};             // of the file it stands in, for messages; empty: none
  std::string first_text{};       // the place of the first value that is not a number, if known: "y.csv: row 4"
  std::int64_t missing = 0;       // values that are not known: "" as text, NaN as numbers
  std::string first_missing{};    // the place of the first of them
  bool categorical = false;       // its type says that the values are classes, whatever they look like
  int first_sample = 1;           // what messages call the first sample: 0 for those of Python
  bool covariate = false;         // it is none, but read alike
  const char* what() const { return covariate ? "covariate" : "target"; }
  // Of survival, --survival: whether the event was seen at the time in `numbers` (1) or the sample was censored then.
  std::vector<std::uint8_t> events{};
  std::string time_name{};  // of the two columns
  std::string event_name{};
  bool is_survival() const { return !events.empty(); }
  bool is_text() const { return !text.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(is_text() ? text.size() : numbers.size()); }
  bool is_missing(std::int64_t sample) const;
};

// The first value that is not a finite number, of a target that is text; the first of all if there is none such.
std::int64_t first_text(const TargetColumn& target);

}  // namespace land
