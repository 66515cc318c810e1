#include "land/pairs/candidates.h"
#include "land/pairs/factor_pairs.h"
#include "land/pairs/matrix_pairs.h"
#include "land/pairs/sorted_pairs.h"

namespace land {

std::unique_ptr<Candidates> make_candidates(Engine& engine, WorkerPool& pool, const Context& context,
                                            const Scores& scores, const KernelForm& target_form,
                                            const FullKernel* target_kernel, const KernelOptions& options,
                                            const MemoryPlan& limits, const KeptProducts* claims) {
  if (options.factor == FactorKind::kFull) {
    return std::make_unique<MatrixPairs>(engine, pool, context, scores, *target_kernel, options, limits);
  }
  if (!Kernels(options).have_factors()) {
    return std::make_unique<SortedPairs>(engine, pool, context, scores, target_form, options, limits);
  }
  const auto& target_factor = std::get<Factor>(target_form);
  return std::make_unique<FactorPairs>(engine, pool, context, scores, target_factor, options, limits, claims);
}

}  // namespace land
