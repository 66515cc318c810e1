// The m features of the largest weights in the quadratic programme of a similarity (simplex_programme.h), with
// a = q / (q + f) where q is the mean of Q and f that of F, as in the paper. A method is a similarity and this.
//
// The paper ranks all features by weight. Most weights are zero: where m asks for more features than have weight, those
// follow whose gradient is lowest, which would be the next to get some; their score is 0.
#pragma once

#include <cstdint>
#include <span>

#include "land/methods/method.h"
#include "land/methods/qpfs/similarity.h"

namespace land {

// Throws InputError if Q, or its approximation, does not fit the memory.
void check_programme(const Setting& setting);

void choose_by_programme(const Setting& setting, Similarity& similarity, PairOracle& pairs, Result& result);

}  // namespace land
