// conditional: greedily, the feature most relevant for what those chosen before leave of the target.
// docs/methods/conditional.md.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_conditional();

}  // namespace land
