// land: the regularisation path of NHSIC Lasso, with its certificate. docs/math.md, "The path".
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_land_path();

}  // namespace land
