// jmi: features that, with each of those chosen before, tell much of the target. Yang and Moody, 1999; Brown et al.,
// 2012.
//
// The first is the one of the largest I(k; y). Then, with S chosen, the one of the largest sum over s in S of I(k s;
// y), in nats. Since I(k s; y) = I(s; y) + I(k; y | s), that is decided by the second term, which is counted for all
// features: it has no bound from above that would spare enough of them.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_jmi();

}  // namespace land
