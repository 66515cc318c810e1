// Entries in the order of a file -> compressed columns.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "land/base/context.h"
#include "land/blocks/sparse_columns.h"
#include "land/formats/slab.h"

namespace land {

// Entries of one piece of a file, in its order; fewer than 2^32.
struct Entries {
  // Their samples, either by line: line r is sample first_sample + r, has entries ends[r - 1] .. ends[r] - 1, and its
  // columns rise strictly;
  std::int64_t first_sample = 0;
  std::vector<std::uint32_t> ends;
  // or for each entry, in any order.
  SlabArray<std::int32_t> samples;

  SlabArray<std::int32_t> columns;
  std::variant<SlabArray<std::uint16_t>, SlabArray<float>, SlabArray<double>> values;  // pieces may differ

  std::size_t size() const { return columns.size(); }
  bool by_line() const { return samples.empty(); }
};

struct RepeatedEntry {
  std::int64_t sample = 0;
  std::int64_t column = 0;
};

struct CompressedColumns {
  SparseColumns columns;
  // The first by column, then sample, of which there are two; the columns are then not to be used. Never between pieces
  // by line.
  std::optional<RepeatedEntry> repeated;
};

// All pieces together, the same for any number of threads. Samples are below `samples`, columns below `columns`,
// both below 2^31; pieces by line come in the order of their samples. The values are as wide as the widest piece's,
// the rows as narrow as the number of samples allows: 4 to 12 bytes an entry, beside the pieces, which may grow by a
// quarter and are gone afterwards.
CompressedColumns compress_columns(std::vector<Entries> pieces, std::int64_t samples, std::int64_t columns,
                                   const Context& context);

}  // namespace land
