// A target, or covariates, in a file of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

// "clinical.csv:stage": a column of a file. The column is empty where the file is all there is.
struct TargetFile {
  std::string path;
  std::string column;
};

// "clinical.csv:age,batch": columns of a file. None: all but those of ids and of the target.
struct CovariatesFile {
  std::string path;
  std::vector<std::string> columns;
};

// Throws InputError unless `values`, those of the target (or covariate: `what`) `name`, are as many as the table's
// samples.
void check_target_length(std::int64_t values, const std::string& name, const Table& table, const char* what = "target");

// What --target means if it is no column of the table: a file that exists, or the part before a colon that is one.
std::optional<TargetFile> find_target_file(const std::string& target);

// Reads the target of `table` from a file, into table.target and table.matching: one value a line, ids and values in
// two columns, or one column of a table with many (.csv, .tsv, also .gz), or an array (.npy, .npz). PLINK's phenotypes
// have two columns of ids.
//
// Joined on ids when both sides have them; a sample that the file does not have lacks a value and is noted in
// Matching::unmatched, for apply_subset to judge. In order when neither has, or as asked by --by-position: then the
// lengths must match. Throws InputError when one side has ids and the other has none, when an id occurs twice, when no
// id matches, and when it is not clear which column is the target.
void read_target_file(const TargetFile& file, const ReadOptions& options, const Context& context, Table& table);

// The same from memory.
void read_target_bytes(const Bytes& bytes, const TargetFile& file, const ReadOptions& options, const Context& context,
                       Table& table);

// What --adjust means if its first word is a file that exists, or has one before a colon; else it names features.
std::optional<CovariatesFile> find_covariates_file(std::span<const std::string> words);

// Reads covariates from a file of text, into table.covariates and table.covariate_matching, by the rules of a target's.
void read_covariates_file(const CovariatesFile& file, const ReadOptions& options, const Context& context, Table& table);

}  // namespace land
