// Values -> normal scores of their ranks: what remains of a feature when any monotone map of it is to be the same.
#pragma once

#include <span>

namespace land {

// Each value becomes the quantile of the normal distribution at rank / (n + 1), ranks counted from 1 over the n samples
// that have a value, ties averaged. A value stands for `weights` samples (one each when empty). NaN stays NaN. Negated
// values get negated scores, to the bit.
void rank_scores(std::span<double> values, std::span<const double> weights = {});

}  // namespace land
