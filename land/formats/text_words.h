// The words of features that hold text, read once it is known which features these are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/formats/number_style.h"
#include "land/formats/text_layout.h"
#include "land/formats/text_records.h"

namespace land {

struct TextWords {
  std::vector<std::string> distinct;  // in the order of the file, at most kMostCategories
  bool more = false;                  // there are others
  std::vector<std::int32_t> codes;    // of the samples: which of `distinct`; -1: missing, or one of the others
  std::int64_t missing = 0;

  // Sorts the words, and numbers them anew.
  void sort();
};

// Of each of the features, which ascend. One pass over the text, cells behind the last of them left out; 4 bytes for
// each feature and sample.
std::vector<TextWords> read_words(const TextRecords& records, const TextLayout& layout, const NumberStyle& style,
                                  std::span<const std::int64_t> features, const Context& context);

}  // namespace land
