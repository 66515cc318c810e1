// What becomes of features of a text table in which there is text.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "land/formats/number_style.h"
#include "land/formats/read_request.h"
#include "land/formats/text_layout.h"
#include "land/formats/text_records.h"
#include "land/formats/text_words.h"

namespace land {

// Cells of a feature with text where numbers should be: how many, and the first of them.
struct TextCells {
  std::int64_t count = 0;
  std::int64_t record = 0;
  std::int64_t column = 0;
};
using TextCellsOf = std::map<std::int64_t, TextCells>;  // by feature

void add_text_cells(std::int64_t feature, const TextCells& cells, TextCellsOf& all);

struct TextTable {
  const ReadRequest& request;
  const TextRecords& records;
  const TextLayout& layout;
  const NumberStyle& style;
};

struct SettledText {
  std::vector<std::pair<std::int64_t, TextWords>> categories;  // features and their words, sorted
  std::vector<TextFeature> others;                             // if they are to be described
};

// Categories are the features that --nominal names; with `auto` also those that hold text in at least half of the
// samples, in at most 20 different words, each for two samples on average. All others are described, or refused: those
// with text in at most half of the samples as slips, by the first cell, the rest all at once. Costs nothing if there
// are none.
SettledText settle_text(const TextTable& table, const TextCellsOf& cells);

}  // namespace land
