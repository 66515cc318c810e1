// What every reader gives: the features as a matrix, their names, the samples' ids, and the target as it was written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/matrix.h"
#include "land/data/feature_names.h"
#include "land/data/file_layout.h"
#include "land/data/file_numbers.h"
#include "land/data/matching.h"
#include "land/data/nominal_features.h"
#include "land/data/pedigree.h"
#include "land/data/target_column.h"
#include "land/data/text_feature.h"
#include "land/options/options.h"

namespace land {

class FilesInUse;

// Of features that are held elsewhere.
struct TableSize {
  std::int64_t features = 0;
  std::int64_t samples = 0;
};

struct Table {
  std::string path;  // for messages
  FileLayout layout;
  std::shared_ptr<FilesInUse> files;  // that it was read from; null: none
  std::vector<std::string> warnings;

  // The values of the features, in one of three places.
  Matrix matrix;                                 // NaN where one is missing
  std::shared_ptr<const FeatureSource> encoded;  // of a format that is not a dense matrix
  std::optional<TableSize> elsewhere;            // an engine alone has them
  Missing default_missing = Missing::kError;     // what to do about missing ones unless told otherwise

  std::vector<std::string> feature_names;     // empty: f0, f1, ...
  std::shared_ptr<const FeatureNames> names;  // the names, if they are elsewhere
  NominalFeatures nominal;
  std::vector<TextFeature> text_features;  // only if asked for: ReadOptions::describe_text

  std::vector<std::string> sample_ids;  // empty: none
  std::string id_column_name;           // of the text column they stood in: its name, else its number; empty: none
  std::optional<Pedigree> pedigree;     // of genotypes

  std::optional<TargetColumn> target;       // filled by read_table when `target` was asked for
  std::vector<TargetColumn> other_targets;  // those after the first, if several were
  // Features that are targets as well, and none any more once apply_subset has been there.
  std::vector<std::int64_t> target_features;
  bool samples_may_lack_target = false;  // as in PLINK's files: such samples are left out without being asked
  Matching matching;

  // What --adjust names, one value per sample; and those of the features that are covariates instead.
  std::vector<TargetColumn> covariates;
  Matching covariate_matching;
  std::vector<std::int64_t> covariate_features;

  // What is left out, and the numbers that the others have in the file.
  std::vector<LeftOut> left_out;
  FileNumbers sample_numbers;
  FileNumbers feature_numbers;

  std::int64_t features() const {
    return elsewhere ? elsewhere->features : encoded ? encoded->features() : matrix.features();
  }
  std::int64_t samples() const {
    return elsewhere ? elsewhere->samples : encoded ? encoded->samples() : matrix.samples;
  }
  // The features, whatever they were read from; not if they are elsewhere. The table must outlive them: errors name its
  // cells.
  std::shared_ptr<const FeatureSource> source(Missing missing) const;

  // All targets, in the order in which they were asked for.
  std::vector<const TargetColumn*> targets() const;

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
