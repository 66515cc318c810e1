// A run of columns of a large matrix, brought into memory.
#pragma once

#include <cstdint>

#include "land/blocks/aligned.h"
#include "land/blocks/matrix.h"
#include "land/engine/worker_pool.h"

namespace land {

// Features [first, last) of `matrix`, samples one after the other, as a matrix of their own: its feature k is feature
// first + k, and a column that is skipped among them is skipped in it too. Its values are in `buffer`. Goes over a
// mapped file in the order of its bytes and holds no more than a MB of its pages for each thread.
Matrix copy_columns(const Matrix& matrix, std::int64_t first, std::int64_t last, WorkerPool& pool,
                    AlignedBytes& buffer);

}  // namespace land
