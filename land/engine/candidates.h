// f and R of fetched features, in stages: what the path solver sees. The solver and the certificate each have their
// own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "land/context.h"
#include "land/engine/candidate.h"
#include "land/engine/engine.h"
#include "land/engine/exact_pairs.h"
#include "land/engine/feature_pair.h"
#include "land/engine/holdings.h"
#include "land/engine/kept_products.h"
#include "land/engine/memory_plan.h"
#include "land/engine/worker_pool.h"
#include "land/kernels/factor.h"
#include "land/kernels/full_kernel.h"
#include "land/path/redundancy.h"

namespace land {

class Candidates final : public Redundancy {
 public:
  // `target_kernel` is needed for FactorKind::kFull only. `claims`: products that another instance computed; they are
  // put to the test and used if they pass it, which is cheaper than to multiply again.
  Candidates(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
             const Factor& target_factor, const FullKernel* target_kernel, const KernelOptions& options,
             const MemoryPlan& limits, const KeptProducts* claims = nullptr);
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  // Lower bounds from 2 and 4 columns, then R itself; the paper's factor has no such bounds.
  int stages() const override { return holdings_.options().factor == FactorKind::kNystrom ? 1 : 3; }
  void prepare(std::span<const FeatureId> features) override;
  void evaluate(std::span<const PairRequest> requests, std::span<double> out) override;
  void set_aside(std::int64_t bytes) override { holdings_.set_aside(bytes); }
  void spot_relevance(std::span<const FeatureId> features, std::span<double> out) override;

  // Values as fetched, until the next call.
  const FeatureBlock& column(FeatureId feature);

  // What this instance multiplied, for another to claim. Nothing is kept by one that was given claims itself.
  std::unique_ptr<const KeptProducts> take_products() { return exact_pairs_.take_products(); }

  // Over the target's factor and all made so far; 0 for full kernels.
  double largest_residual() const;
  double mean_columns() const { return holdings_.mean_columns(); }

 private:
  void evaluate_together(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                         std::span<double> out);
  static constexpr int sketch_columns(int stage) { return stage == 1 ? 2 : kSketchColumns; }
  // Of the candidates of these pairs, those whose sketches have too few columns.
  std::vector<Candidate*> without_sketch(std::span<const PairRequest> requests, std::span<const CandidatePair> pairs);
  void low_pairs(std::span<const PairRequest> requests, std::span<const CandidatePair> pairs, std::span<double> out);
  void refine(std::span<Candidate* const> candidates);

  const Factor& target_factor_;
  const FullKernel* target_kernel_;
  Holdings holdings_;
  ExactPairs exact_pairs_;
  std::uint64_t lookouts_ = 0;  // the clock of looks at candidates
  // R of pairs once computed, while there are not too many.
  std::size_t most_known_;
  std::unordered_map<FeaturePair, double, FeaturePairHash> known_;
};

}  // namespace land
