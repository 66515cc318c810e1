#include "land/permuting/permutation_job.h"

#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/families/kernels.h"
#include "land/permuting/factor_scorer.h"
#include "land/permuting/plain_scorer.h"

namespace land {

Permutations permutations_of(const Target& target, const KernelOptions& kernel, std::int64_t seed, std::int64_t asked) {
  if (!kernel.adjustment) return {target, {}, seed, asked};
  return {target, kernel.adjustment->strata, seed, asked};
}

std::shared_ptr<const PermutedScorer> make_permuted_scorer(const PermutationJob& job) {
  if (job.kernel.factor != FactorKind::kFull && Kernels(job.kernel).have_factors()) return make_factor_scorer(job);
  return make_plain_scorer(job);
}

PermutedScores empty_scores(const PermutationJob& job) {
  PermutedScores scores;
  scores.first = job.begin;
  scores.largest.assign(static_cast<std::size_t>(job.end - job.begin), 0.0);
  return scores;
}

}  // namespace land
