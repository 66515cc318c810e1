#include "land/pairs/candidates.h"
#include "land/pairs/factor_pairs.h"
#include "land/pairs/matrix_pairs.h"

namespace land {

std::unique_ptr<Candidates> make_candidates(Engine& engine, WorkerPool& pool, const Context& context,
                                            const Scores& scores, const Factor& target_factor,
                                            const FullKernel* target_kernel, const KernelOptions& options,
                                            const MemoryPlan& limits, const KeptProducts* claims) {
  if (options.factor == FactorKind::kFull) {
    return std::make_unique<MatrixPairs>(engine, pool, context, scores, *target_kernel, options, limits);
  }
  return std::make_unique<FactorPairs>(engine, pool, context, scores, target_factor, options, limits, claims);
}

}  // namespace land
