// Targets that Python gives.
#pragma once

#include "land/data/table.h"

namespace land::python {

// Messages count its samples from 0, and its missing values are known.
void number_from_0(TargetColumn& target);

}  // namespace land::python
