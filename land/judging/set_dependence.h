// How strongly a target depends on a set of features together: their NHSIC,
//
//   <K, L> / (|K| |L|),
//
// K and L centred kernel matrices over the same samples. K is one Gaussian kernel of all m features,
// exp(-|u_i - u_j|^2 / (2 m sigma^2)): u are the features, each centred and scaled to unit population deviation over
// these samples, and the width grows with sqrt(m) as distances do. L is the target's kernel as in a selection: 1/n_c
// within a class of n_c samples, or the Gaussian one of numbers with width sigma.
//
// A constant feature adds no distance, a missing value stands at the mean. Of a nominal feature two categories are
// equally far from each other, whichever they are, so that the mean square distance of two samples is 2, as that of
// numbers is: of two categories this is the same as two numbers. A missing value is a category of its own.
#pragma once

#include <optional>
#include <span>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/target.h"
#include "land/judging/judged_column.h"

namespace land {

// 0 if all features are constant, or there are none; none if the target has one value only. Takes n^2 m operations and
// memory for n m numbers. The same for any number of threads.
std::optional<double> set_dependence(std::span<const JudgedColumn> columns, const Target& target, double sigma,
                                     WorkerPool& pool, const Context& context);

}  // namespace land
