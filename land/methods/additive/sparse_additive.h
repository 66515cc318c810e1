// spam: a sparse additive model, whose components are smooth functions of one feature each. docs/methods/linear.md.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_sparse_additive();

}  // namespace land
