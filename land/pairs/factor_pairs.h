// f and R from factors: multiplied, a few candidates with all their partners at a time, or claimed and put to the test.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "land/kernels/factors/factor.h"
#include "land/pairs/candidates.h"
#include "land/pairs/kept_products.h"

namespace land {

class FactorForm final : public ExactForm {
 public:
  explicit FactorForm(Factor made) : factor(std::move(made)) {}
  std::int64_t bytes() const override { return factor.bytes(); }
  double residual() const override { return factor.residual; }
  std::int64_t columns() const override { return factor.columns; }

  Factor factor;
};

// Of a candidate whose factor is made.
inline const Factor& factor_of(const Candidate& candidate) {
  return static_cast<const FactorForm&>(*candidate.exact).factor;
}

class FactorPairs final : public Candidates {
 public:
  // Keeps products for another to claim; or, given `claims`, none.
  FactorPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
              const Factor& target_factor, const KernelOptions& options, const MemoryPlan& limits,
              const KeptProducts* claims);

  void spot_relevance(std::span<const FeatureId> features, std::span<double> out) override;
  std::unique_ptr<const KeptProducts> take_products() override;
  double largest_residual() const override;

 protected:
  std::span<Candidate* const> made_ahead(std::span<Candidate* const> needed) override;
  void evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) override;
  double relevance_of(const Candidate& candidate) const override;
  std::size_t refined_together() const override { return 64; }

 private:
  struct Partner {  // one side of pairs, and the pairs that have it
    Candidate* candidate = nullptr;
    std::span<const CandidatePair> pairs;
  };
  void multiply(std::vector<CandidatePair> pairs, std::span<double> out);
  // All pairs of these partners; the factors of all are held together.
  void multiply_together(std::span<Candidate* const> lefts, std::span<const Partner> partners, std::span<double> out);
  // Those of them with some of the candidates.
  void multiply_share(std::span<Candidate* const> lefts, std::span<const Partner> partners, int worker,
                      std::span<double> out);

  const Factor& target_factor_;
  const KeptProducts* claims_;
  std::unique_ptr<KeptProducts> products_;
};

}  // namespace land
