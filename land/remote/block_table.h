// A block table: the features of a data set as rows that any cluster can hold, each an encoded block as bytes. A row
// says which features it has; what is the same for all rows is said once, by the table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/feature_id.h"
#include "land/blocks/feature_block.h"
#include "land/blocks/feature_source.h"
#include "land/data/table.h"
#include "land/data/target_column.h"
#include "land/options/options.h"

namespace land {

// Which data set a cell, an order or an answer is of.
struct DataSet {
  std::string name;      // for messages
  std::uint64_t id = 0;  // differs between data sets
  std::int64_t features = 0;
  std::int64_t samples = 0;
  bool has_signatures = false;
  bool operator==(const DataSet&) const = default;
};

// What a driver has to know.
struct BlockTable {
  DataSet data;
  std::int64_t bytes_each = 0;  // of a feature, about
  Missing default_missing = Missing::kError;
  std::vector<std::int64_t> nominal;    // features that are, ascending
  std::vector<std::string> sample_ids;  // empty: none
  std::optional<TargetColumn> target;   // if the table was made with one
};
std::string to_message(const BlockTable& table);
// Throws InputError for what is damaged or impossible.
BlockTable read_block_table(std::string_view message);

// One row.
struct Cell {
  DataSet data;
  FeatureBlock block;              // rising ids without gaps, in whole strips
  std::vector<std::string> names;  // of its features; empty: f0, f1, ...
};
std::string to_message(const Cell& cell);
// `where`: for messages. Throws InputError for what is damaged or whose values are not what their headers say. One copy
// of the values, and a pass over them.
Cell read_cell(std::string_view message, const std::string& where);

// What a feature takes in a cell, from some of them: of sparse ones and of codes that is far less than of others.
std::int64_t encoded_bytes(const FeatureSource& source);

// Cuts a table into cells.
class CellCutter {
 public:
  // `options.block_bytes`: of a cell, about. `bytes_each`: that a feature takes in it, if that is known
  // (encoded_bytes). The table outlives it.
  CellCutter(const Table& table, const ConvertOptions& options, std::int64_t bytes_each = 0);

  const BlockTable& table() const { return head_; }
  const FeatureSource& source() const { return *source_; }
  std::int64_t cells() const { return std::ssize(firsts_) - 1; }
  // The first feature of every cell, and of the one behind the last.
  std::span<const std::int64_t> firsts() const { return firsts_; }
  // Thread-safe; throw InputError for values that `options.missing` refuses.
  Cell cut(std::int64_t number) const;
  // Of a packed block, which is moved or copied into it.
  Cell cell_of(FeatureBlock block) const;

 private:
  const Table& table_;
  Missing missing_;
  std::shared_ptr<const FeatureSource> source_;
  BlockTable head_;
  std::vector<std::int64_t> firsts_;
};

// The features of `part`, a table of some of a data set's, as a cell of it: they are those from `first` on, which
// starts a strip. Throws InputError for values that `missing` refuses, and for a part that is none of the data set.
Cell cut_part(Table part, Missing missing, const DataSet& data, FeatureId first);

}  // namespace land
