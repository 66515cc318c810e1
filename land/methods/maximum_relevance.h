// mr-nhsic: the m most relevant features by f alone, refined in double. What the paper compares with.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_maximum_relevance();

}  // namespace land
