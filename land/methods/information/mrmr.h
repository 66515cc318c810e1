// mrmr, mrmr-miq: relevant features that have little in common with those chosen before. Peng, Long and Ding, 2005.
//
// The first is the one of the largest I(k; y). Then, with S chosen, the one of the largest
//   mrmr (MID)   I(k; y) - mean of I(k; s) over s in S
//   mrmr-miq     I(k; y) / mean of I(k; s) over s in S, a mean below 1e-9 nats counting as 1e-9
// Informations are in nats. What was not counted yet of the mean is at least 0, which bounds both from above.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_mrmr();
std::unique_ptr<Method> make_mrmr_quotient();

}  // namespace land
