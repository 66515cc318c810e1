// qpfs-mi: Quadratic Programming Feature Selection (Rodriguez-Lujan et al., 2010) over mutual information, as in the
// paper: F = I(k; y), Q = I(k; s), I(k; k) being the entropy of k, of features as levels (information/discretise.h), in
// nats. Such a Q need not be positive semidefinite: then the weights are those of a local optimum.
#pragma once

#include <memory>

#include "land/methods/method.h"

namespace land {

std::unique_ptr<Method> make_qpfs_information();

}  // namespace land
