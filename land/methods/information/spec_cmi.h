// spec-cmi: the features that count most where all pairs are looked at at once. Nguyen, Chan, Romano and Bailey, 2014.
//
// Q_kk = I(k; y), Q_ks = (I(k; y | s) + I(s; y | k)) / 2, in nats: the paper's matrix made symmetric by the mean, which
// leaves x' Q x as it is. The score of a feature is its entry in the eigenvector of the largest eigenvalue, of length
// 1; no entry is negative. Largest first, ties by index.
//
// All d^2 / 2 pairs are counted and Q takes 8 d^2 bytes: meant for up to 20,000 features.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_spec_cmi();

}  // namespace land
