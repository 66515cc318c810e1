// What every reader gives: the features as a matrix, their names, the samples' ids, and the target as it was written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/matrix.h"
#include "land/formats/feature_names.h"
#include "land/formats/matching.h"
#include "land/options.h"

namespace land {

class FilesInUse;

// A target column before anyone decided whether it holds classes or numbers.
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
  bool is_text() const { return !text.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(is_text() ? text.size() : numbers.size()); }
  bool is_missing(std::int64_t sample) const;
};

// A feature of words, which nobody took for categories.
struct TextFeature {
  std::int64_t feature = 0;
  std::int64_t cells = 0;  // that are neither numbers nor missing
  std::int64_t missing = 0;
  std::int64_t distinct = 0;  // different words, numbers among them; one more than kMostCategories if that is passed
  std::vector<std::string> words;  // the first few of them, in the order of the file
};
constexpr std::int64_t kMostCategories = 256;

struct Table {
  std::string path;  // for messages
  Matrix matrix;     // features only, NaN where a value is missing; empty if they are encoded
  std::shared_ptr<const FeatureSource> encoded;  // features of a format that is not a dense matrix
  std::vector<std::string> feature_names;        // empty: f0, f1, ...
  std::shared_ptr<const FeatureNames> names;     // the names, if they are elsewhere
  std::vector<std::int64_t> nominal;             // features that are categories without an order, ascending
  // Of nominal features that were read from words: value k stands for the k-th. By feature.
  std::map<std::int64_t, std::vector<std::string>> categories;
  std::vector<TextFeature> text_features;  // only if asked for: ReadOptions::describe_text
  std::vector<std::string> sample_ids;     // empty: none
  std::string id_column_name;              // of the text column they stood in: its name, else its number; empty: none
  Missing default_missing = Missing::kError;  // what to do about missing values unless told otherwise
  bool samples_may_lack_target = false;       // as in PLINK's files: such samples are left out without being asked
  std::vector<std::string> warnings;
  // Genotypes: of every sample its family, and whether it is a founder (no parent is named).
  std::vector<std::string> families;
  std::vector<bool> founders;

  Matching matching;
  std::vector<LeftOut> left_out;
  // Where some are left out: the numbers that the others have in the file, ascending; empty: all are used.
  std::vector<std::int64_t> sample_numbers;
  std::vector<std::int64_t> feature_numbers;

  std::optional<TargetColumn> target;  // filled by read_table when `target` was asked for
  std::shared_ptr<FilesInUse> files;   // that it was read from; null: none

  // How messages name a place in the file: "row 3, column 5 ('TP53')". Rows and columns of the file count from 1 as an
  // editor shows them for text; for .npy from 0, as NumPy does.
  bool text_format = false;
  bool has_header = false;
  bool rows_are_features = false;
  std::int64_t skipped_column = -1;  // of an array, before features were left out: Matrix::skipped_column

  // Text formats: rows and columns of the file, from 0 and ascending, that are neither samples nor features (header,
  // ids, names, target), and the line, from 1, on which each row begins when quoted cells span lines (else empty).
  std::vector<std::int64_t> other_rows;
  std::vector<std::int64_t> other_columns;
  std::vector<std::int64_t> row_lines;
  std::int64_t first_line = 1;  // of the first row, where comments stand above it

  std::int64_t features() const { return encoded ? encoded->features() : matrix.features(); }
  std::int64_t samples() const { return encoded ? encoded->samples() : matrix.samples; }
  // The features, whatever they were read from. The table must outlive them: errors name its cells.
  std::shared_ptr<const FeatureSource> source(Missing missing) const;
  // The feature's number among all that the file has: what reports print.
  std::int64_t number_of(std::int64_t feature) const {
    return feature_numbers.empty() ? feature : feature_numbers[static_cast<std::size_t>(feature)];
  }

  // The feature that has this number in the file; it is one of those used.
  std::int64_t feature_with(std::int64_t number) const;

  // InputError when there is nothing to select from; when `missing` refuses values that features lack.
  void check_has_features() const;
  void check_missing(Missing missing, std::int64_t values, std::int64_t first_feature) const;

  // The names of all features; empty if the file gives none.
  std::vector<std::string> all_feature_names() const;
  // The feature's name, or "f7" where the file gives none.
  std::string feature_name(std::int64_t feature) const;
  // "data.csv: row 7, column 3 ('TP53')" for the cell of (sample, feature).
  std::string cell(std::int64_t sample, std::int64_t feature) const;
};

}  // namespace land
