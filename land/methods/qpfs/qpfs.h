// qpfs: Quadratic Programming Feature Selection (Rodriguez-Lujan et al., 2010) over NHSIC: F = f, Q = R.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_qpfs();

}  // namespace land
