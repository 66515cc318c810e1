// Features are to be scored against permuted targets: a value that can be sent, and all that a worker needs.
#pragma once

#include <cstdint>
#include <memory>

#include "land/base/context.h"
#include "land/base/feature_id.h"
#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/options/options.h"
#include "land/permuting/permutations.h"
#include "land/permuting/permuted_scores.h"

namespace land {

// Thread-safe.
class PermutedScorer {
 public:
  virtual ~PermutedScorer() = default;

  // Adds the features of a block, those before `first` and from `last` on left out, to what `scores` has: of the
  // permutations of the job.
  virtual void score(const FeatureBlock& block, FeatureId first, FeatureId last, const Context& context,
                     PermutedScores& scores) const = 0;
};

struct PermutationJob {
  std::shared_ptr<const Target> target;
  KernelOptions kernel = {};
  std::int64_t seed = 0;
  std::int64_t asked = 0;
  std::int64_t begin = 0;  // numbers of permutations: from `begin` to before `end`
  std::int64_t end = 0;
  double floor = 0.0;  // what is below is wanted of the largest only
  FeatureId first = 0;
  FeatureId last = 0;

  // Made from the rest by who needs it, too, and used where there is no need to send the job; null: not made yet.
  std::shared_ptr<const PermutedScorer> scorer = nullptr;
};

// Permutations number 0 to `asked`, within the strata of covariates if these are all nominal.
Permutations permutations_of(const Target& target, const KernelOptions& kernel, std::int64_t seed, std::int64_t asked);

// Cost: a form of the target, and its values for every permutation.
std::shared_ptr<const PermutedScorer> make_permuted_scorer(const PermutationJob& job);

// With room for every permutation of the job, and nothing else.
PermutedScores empty_scores(const PermutationJob& job);

}  // namespace land
