// f and R of fetched features, in stages: what the path solver sees. The solver and the certificate each have their
// own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "land/base/context.h"
#include "land/base/feature_pair.h"
#include "land/base/worker_pool.h"
#include "land/engine/engine.h"
#include "land/kernels/factors/full_kernel.h"
#include "land/kernels/families/kernel_form.h"
#include "land/pairs/candidate.h"
#include "land/pairs/holdings.h"
#include "land/pairs/kept_products.h"
#include "land/pairs/memory_plan.h"
#include "land/path/pair_oracle.h"

namespace land {

class Candidates : public PairOracle {
 public:
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  // Lower bounds from 2 and 4 columns where the kernels have sketches, then R itself.
  int stages() const override { return holdings_.kernels().have_sketches() ? 3 : 1; }
  void prepare(std::span<const FeatureId> features) override;
  void announce(std::span<const FeatureId> features) override { holdings_.announce(features); }
  void evaluate(std::span<const PairRequest> requests, std::span<double> out) override;
  void set_aside(std::int64_t bytes) override { holdings_.set_aside(bytes); }

  // Values as fetched, until the next call.
  const FeatureBlock& column(FeatureId feature);

  // What this instance multiplied, for another to claim. Nothing is kept by one that was given claims itself.
  virtual std::unique_ptr<const KeptProducts> take_products() { return nullptr; }

  // Over the target's factor and all made so far; 0 for full kernels.
  virtual double largest_residual() const { return holdings_.largest_residual(); }
  double mean_columns() const { return holdings_.mean_columns(); }

 protected:
  Candidates(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
             const KernelOptions& options, const MemoryPlan& limits, ExactForms forms);

  Holdings& holdings() { return holdings_; }
  const Holdings& holdings() const { return holdings_; }

  // Of candidates whose exact forms are about to be needed, those to make along with sketches: alone, one would leave
  // the other threads idle.
  virtual std::span<Candidate* const> made_ahead(std::span<Candidate* const> needed) = 0;
  // out[pair.request] = R of fetched pairs.
  virtual void evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) = 0;
  // f of a candidate whose exact form is made; and how many of these forms to make at a time for it, at most.
  virtual double relevance_of(const Candidate& candidate) const = 0;
  virtual std::size_t refined_together() const = 0;

 private:
  void evaluate_together(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                         std::span<double> out);
  static constexpr int sketch_columns(int stage) { return stage == 1 ? 2 : kSketchColumns; }
  // Of the candidates of these pairs, those whose sketches have too few columns.
  std::vector<Candidate*> without_sketch(std::span<const PairRequest> requests, std::span<const CandidatePair> pairs);
  // Candidate::relevance = f.
  void refine(std::span<Candidate* const> candidates);
  void low_pairs(std::span<const PairRequest> requests, std::span<const CandidatePair> pairs, std::span<double> out);

  Holdings holdings_;
  std::uint64_t lookouts_ = 0;  // the clock of looks at candidates
  // R of pairs once computed, while there are not too many.
  std::size_t most_known_;
  std::unordered_map<FeaturePair, double, FeaturePairHash> known_;
};

// From factors; or from values in order, for kernels that have none; or from full matrices, for FactorKind::kFull,
// which needs `target_kernel`. `claims`: products of factors that another instance computed; they are put to the test
// and used if they pass it, which is cheaper than to multiply again.
std::unique_ptr<Candidates> make_candidates(Engine& engine, WorkerPool& pool, const Context& context,
                                            const Scores& scores, const KernelForm& target_form,
                                            const FullKernel* target_kernel, const KernelOptions& options,
                                            const MemoryPlan& limits, const KeptProducts* claims = nullptr);

}  // namespace land
