// f and R from full n x n kernel matrices, never more of them than the limits allow: --exact.
#pragma once

#include <span>

#include "land/kernels/factors/full_kernel.h"
#include "land/pairs/candidates.h"

namespace land {

class MatrixPairs final : public Candidates {
 public:
  MatrixPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
              const FullKernel& target_kernel, const KernelOptions& options, const MemoryPlan& limits);

 protected:
  std::span<Candidate* const> made_ahead(std::span<Candidate* const> /*needed*/) override { return {}; }
  void evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) override;
  double relevance_of(const Candidate& candidate) const override;
  std::size_t refined_together() const override { return static_cast<std::size_t>(holdings().threads()); }

 private:
  const FullKernel& target_kernel_;
};

}  // namespace land
