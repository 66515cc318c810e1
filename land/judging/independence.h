// How little selected features repeat each other, as Yamada et al. (2018) measure it: the independence rate
//
//   I = 1 - (1 / (m (m - 1))) sum over k > l of |rho_kl|,
//
// rho the Pearson correlation. As printed there it has each pair once under m (m - 1), twice their number: so I is
// between 1/2, all features the same, and 1, no two correlated.
#pragma once

#include <span>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/judging/judged_column.h"

namespace land {

// |rho| over the samples that have both values; 0 if either is constant there. The paper has numbers only: a nominal
// feature and a number have the correlation ratio in its place, two nominal features Cramer's V. All three are |rho|
// where the nominal features have two categories.
double association(const JudgedColumn& a, const JudgedColumn& b);

// 1 for fewer than two features. The same for any number of threads.
double independence_rate(std::span<const JudgedColumn> columns, WorkerPool& pool, const Context& context);

}  // namespace land
