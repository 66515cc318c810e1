// f and R from values in order, for kernels that have no factors (KernelFamily::kLaplace and kDistance): each pair by
// itself.
#pragma once

#include <span>

#include "land/kernels/families/kernel_form.h"
#include "land/pairs/candidates.h"

namespace land {

class SortedPairs final : public Candidates {
 public:
  SortedPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
              const KernelForm& target_form, const KernelOptions& options, const MemoryPlan& limits);

 protected:
  std::span<Candidate* const> made_ahead(std::span<Candidate* const> needed) override;
  void evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) override;
  double relevance_of(const Candidate& candidate) const override;
  std::size_t refined_together() const override { return 64; }

 private:
  // Their forms are made.
  void evaluate_made(std::span<const CandidatePair> pairs, std::span<double> out) const;

  const KernelForm& target_form_;
};

}  // namespace land
