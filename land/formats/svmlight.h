// Sparse text as SVMlight and LIBSVM write it: a line per sample, "label index:value index:value ... # comment".
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "land/blocks/feature_source.h"
#include "land/blocks/sparse_columns.h"
#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

struct SparseText {
  SparseColumns columns;
  TargetColumn target;  // the labels, named "label"
};

// Samples are the lines in their order, without empty ones and comments; columns are as many as the largest index says.
// Indices count from 1 (0 with `zero_based`), rise strictly within a line and stay below 2^31 - 1; values are finite.
// "qid:..." is skipped, and zeros are not stored. Labels are numbers, or text if one of them is. Throws InputError
// naming the line and the feature, also when the columns are absurdly many beside the entries. 100 MB of whole numbers
// take a quarter of a second of one processor in lines of thousands of entries, half a second in lines of twenty;
// decimals a third to a half. At its peak, beside the text, an entry takes 12 bytes in long lines and 17 in short ones
// if all values are counts below 65,536 and samples as few (27 and 35 in float64), of which the columns are 4 (10).
SparseText read_svmlight(const Bytes& bytes, const ReadRequest& request, bool zero_based);

struct SparseTextRuns {
  std::shared_ptr<const FeatureSource> features;
  TargetColumn target;
};

// The same for text far larger than request.scratch_above(), below which it stays, about: features come from a scratch
// file. What is wrong is told as above, but the first error of a stretch of the text comes before one of size.
SparseTextRuns read_svmlight_in_runs(const Bytes& bytes, const ReadRequest& request, bool zero_based);

// Whether the first line that has features is "label index:value ...".
bool looks_like_svmlight(std::span<const std::byte> bytes);

// .svm, .svmlight and .libsvm, also with .gz behind them.
bool is_named_svmlight(std::string_view name);

}  // namespace land
