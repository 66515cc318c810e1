// lasso: the path of the linear lasso, with its certificate. docs/methods/linear.md.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_lasso();

}  // namespace land
