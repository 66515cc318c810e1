// Sparse tables far larger than memory: read in parts, each laid down by columns in a scratch file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/sparse_columns.h"
#include "land/files/scratch_file.h"
#include "land/formats/compress_columns.h"

namespace land {

// A part of the file by columns, in bytes from the beginning of the scratch file.
struct SparseRun {
  std::int64_t columns = 0;
  std::int64_t starts = 0;  // int64, columns + 1 of them
  std::int64_t rows = 0;
  std::int64_t values = 0;
  SparseColumns::Rows row_type;  // an empty span of it
  SparseColumns::Values value_type;
};

class SparseRuns {
 public:
  // Text that needs more memory than it may have: while it is read an entry takes up to 35 bytes, and 4 to 16 of text.
  static bool needed(std::size_t text_bytes, std::int64_t memory) {
    return memory > 0 && static_cast<std::int64_t>(text_bytes) > memory / 4;
  }
  // As much text as is to be read for one run; threads have a few MB besides.
  static std::size_t text_bytes(std::int64_t memory) {
    constexpr std::int64_t kBesides = std::int64_t{40} << 20;
    return static_cast<std::size_t>(std::max<std::int64_t>(memory - kBesides, memory / 4) / 8);
  }

  explicit SparseRuns(const std::string& folder) : file_(std::make_shared<ScratchFile>(folder)) {}

  // The next part of the file. Samples below `samples`, columns below `columns`; see compress_columns. Returns an entry
  // of which there are two in this part, if there is one.
  std::optional<RepeatedEntry> add(std::vector<Entries> pieces, std::int64_t samples, std::int64_t columns,
                                   const Context& context);

  // The features of all parts together. `repeated` is called for an entry that is in two parts, and throws.
  std::shared_ptr<const FeatureSource> source(std::int64_t samples, std::int64_t columns,
                                              std::function<void(const RepeatedEntry&)> repeated) const;

 private:
  template <class T>
  std::int64_t put(std::span<const T> items);

  std::shared_ptr<ScratchFile> file_;
  std::int64_t size_ = 0;
  std::int64_t entries_ = 0;
  std::vector<SparseRun> runs_;
};

}  // namespace land
