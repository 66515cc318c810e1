// Matrix Market files (.mtx): a line "row column value" for each entry, as sparse single-cell counts are given away.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "land/blocks/feature_source.h"
#include "land/blocks/sparse_columns.h"
#include "land/formats/read_request.h"

namespace land {

// Its first line says so.
bool is_matrix_market(std::span<const std::byte> bytes);

// A coordinate matrix of real, integer or pattern (every value is 1) entries, general or symmetric. Rows of the matrix
// are what request.options.rows says: samples, or features as 10x Genomics writes genes by cells. Entries come in any
// order, each once; stored zeros stay. Throws InputError naming the line when an entry is malformed, out of range or
// repeated, when there are fewer or more than announced, and for matrices of any other kind.
// Its arrays take 10 bytes an entry at their peak if all values are counts below 65,536 and samples as few, 26 at most;
// more for symmetric ones.
SparseColumns read_matrix_market(const Bytes& bytes, const ReadRequest& request);

// The same for text far larger than request.scratch_above(), below which it stays, about: features come from a scratch
// file. An entry that is repeated far from the first is found only when its feature is read.
std::shared_ptr<const FeatureSource> read_matrix_market_in_runs(const Bytes& bytes, const ReadRequest& request);

}  // namespace land
