// From a file, or bytes in memory, to a Table: detection by content, then by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/files/bytes.h"
#include "land/formats/name_patterns.h"

namespace land {

enum class Rows : std::uint8_t { kSamples, kFeatures };

// Ids of the table and of the target's file: the same on both sides, or those in common.
enum class Match : std::uint8_t { kSame, kCommon };
std::string_view to_string(Match match);
inline constexpr std::initializer_list<Match> kMatches = {Match::kSame, Match::kCommon};

// What is left out besides features by their names.
struct SubsetOptions {
  NamePatterns samples;                // --samples; empty: all
  NamePatterns exclude_samples;        // --exclude-samples
  bool drop_missing_target = false;    // --drop-missing-target: samples whose target is not known
  bool drop_missing_features = false;  // --missing drop-feature: features that lack a value
  std::int64_t min_distinct = 0;       // --min-distinct: features with fewer different values
  std::optional<double> maf;           // --maf: genotypes whose rarer allele is rarer than this, among founders
  std::optional<double> geno;          // --geno: features that lack more than this share of their values
  std::optional<double> mind;          // --mind: samples that lack more than this share of theirs
};

struct ReadOptions {
  Rows rows = Rows::kSamples;  // what a row of the file is
  // --id, by name or number: the column of sample ids, or of feature names when rows are features (sample ids are then
  // the header). Empty: a first header cell that is empty, "id", "sample" or another such word (docs/formats.md) marks
  // it; for features also "gene" and the like, or a first column of text.
  std::string id_column;
  // --target: a column by name, else by number, else a file; empty: none. A row when rows are features. Numbers count
  // all columns (rows) of the file from 0, ids and header included. In an .npz also the name of an array, which comes
  // first.
  // Several between commas, if no column has all of that for its name.
  std::string target;
  bool survival = false;           // --survival: `target` names two columns, time and event
  std::string matrix_array = "X";  // names of the arrays of an .npz
  std::string target_array = "y";
  // --include, --exclude: a reader need not read features that it does not take, and must not stumble over them; they
  // keep their numbers (as NaN) until subset_table leaves them out.
  FeatureChoice choice;
  SubsetOptions subset;
  // How a target in a file of its own is matched with the samples.
  Match match = Match::kSame;
  bool by_position = false;  // --by-position: in order, whatever ids there are
  std::string target_id;     // --target-id: the column of ids in the target's file; empty: the one whose ids match best
  // --adjust: features that are covariates instead, by name or number; or a file of covariates, "FILE" or "FILE:COLUMN"
  // and more of its columns.
  std::vector<std::string> adjust;
  std::vector<std::string> nominal;  // --nominal: features by name or number; "auto": every feature of few words, too
  std::vector<std::string> na;       // --na: words for missing values in text, besides those of is_missing
  std::string delimiter;             // --delimiter of a text table: see delimiter_of; empty: it is found
  std::string names;                 // --names: a file of feature names, one a line, for tables without
  // Features that hold text are described in Table::text_features, and all NaN; otherwise they are refused.
  bool describe_text = false;
  bool zero_based = false;  // indices of svmlight files count from 0
  // Text that would take more memory than the context allows is laid down in a file here, which goes with the program.
  // Empty: all is kept in memory.
  std::string scratch_folder;
};

// Reads DATA and, if asked for, its target. Throws InputError with file, row, column and what to do.
Table read_table(const std::string& path, const ReadOptions& options, const Context& context);

// The same from memory; `name` stands for the path in messages and serves for detection by name. A target given as a
// file is not looked for.
Table read_table(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Context& context);

}  // namespace land
