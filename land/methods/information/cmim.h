// cmim: features that tell of the target what no single one chosen before does. Fleuret, 2004.
//
// With S chosen, the next is the feature of the largest min over s in S of I(k; y | s), in nats. As in Fleuret's
// algorithm the minimum begins with I(k; y), by which the first is chosen: it is never above that. It only falls while
// S grows, so features are looked at again only when they come first.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_cmim();

}  // namespace land
