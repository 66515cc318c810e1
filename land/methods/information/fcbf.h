// fcbf: relevant features that no better one stands for. Yu and Liu, 2004.
//
// By symmetrical uncertainty, SU(a, b) = 2 I(a; b) / (H(a) + H(b)). Features are gone through in falling order of
// SU(k, y), ties by index; one is kept if no kept p has SU(p, k) >= SU(k, y). Those without information, SU(k, y) = 0,
// are left out (delta = 0), and the first m that are kept are the result: the rest is not looked at. The score is
// SU(k, y), which has no unit.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_fcbf();

}  // namespace land
