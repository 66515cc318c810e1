// A dense matrix cut down to some columns, and to some samples if these are not all.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/blocks/matrix.h"
#include "land/subset/subset.h"

namespace land {

// `subset` names features. Values, type and order are those of `matrix`. In memory, or, where that is more than the
// context or the machine has to spare, in a scratch file in `scratch_folder` (empty: that of the system), mapped. One
// pass in the matrix's order.
Matrix copy_matrix(const Matrix& matrix, const Subset& subset, const std::string& scratch_folder,
                   const Context& context);

}  // namespace land
