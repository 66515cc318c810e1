// f and R of fetched features, in stages: what the path solver sees. The solver and the certificate each have their
// own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "land/context.h"
#include "land/engine/engine.h"
#include "land/engine/feature_pair.h"
#include "land/engine/kept_products.h"
#include "land/engine/memory_plan.h"
#include "land/engine/worker_pool.h"
#include "land/kernels/factor.h"
#include "land/kernels/full_kernel.h"
#include "land/kernels/sketch.h"
#include "land/path/redundancy.h"

namespace land {

class Candidates final : public Redundancy {
 public:
  // `target_kernel` is needed for FactorKind::kFull only. `claims`: products that another instance computed; they are
  // put to the test and used if they pass it, which is cheaper than to multiply again. What exceeds `limits` is
  // dropped, the least recently used first, to be made again when asked for.
  Candidates(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
             const Factor& target_factor, const FullKernel* target_kernel, const KernelOptions& options,
             const MemoryPlan& limits, const KeptProducts* claims = nullptr);
  ~Candidates() override;

  // Lower bounds from 2 and 4 columns, then R itself; the paper's factor has no such bounds.
  int stages() const override { return options_.factor == FactorKind::kNystrom ? 1 : 3; }
  void prepare(std::span<const FeatureId> features) override;
  void relevance(std::span<const FeatureId> features, std::span<double> out) override;
  void spot_relevance(std::span<const FeatureId> features, std::span<double> out) override;
  void evaluate(std::span<const PairRequest> requests, std::span<double> out) override;

  // Values as fetched, until the next call.
  const FeatureBlock& column(FeatureId feature);

  // What this instance multiplied, for another to claim. Nothing is kept by one that was given claims itself.
  std::unique_ptr<const KeptProducts> take_products() { return std::move(products_); }

  // Over the target's factor and all made so far; 0 for full kernels.
  double largest_residual() const { return largest_residual_; }
  double mean_columns() const;

 private:
  struct Candidate;
  struct LowPair {
    std::size_t request = 0;
    Candidate* k = nullptr;
    Candidate* i = nullptr;
  };
  struct Wanted {
    FeatureId partner = 0;
    std::size_t left = 0;  // position of the candidate
    std::size_t request = 0;
  };
  struct Partner {  // one side of exact pairs, and which requests want it
    FeatureId feature = 0;
    std::span<const Wanted> wanted_by;
  };
  Candidate& candidate(FeatureId feature) { return *candidates_.at(feature); }
  // The same, made if it is not there. Not for several threads.
  Candidate& enlist(FeatureId feature);
  // Has the values of these features in memory, all of which stay until the next call; returns them in this order.
  std::vector<Candidate*> fetch(std::span<const FeatureId> features);
  // Drops values and sketches until `bytes` more fit, if there are enough that are not in use.
  void make_room(std::int64_t bytes);
  std::int64_t fetched_size() const;
  // How many features may have their values and sketches, or their factors, in memory.
  static std::size_t fitting(std::int64_t bytes, std::int64_t each);
  std::size_t fetched_together() const;
  std::size_t exact_together() const;
  void evaluate_together(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                         std::span<double> out);
  static constexpr int sketch_columns(int stage) { return stage == 1 ? 2 : kSketchColumns; }
  // Of `count` columns, for features that have fewer.
  void make_sketches(std::span<Candidate* const> wanted, int count);
  // Makes the factors (or full kernels) of these features, all of which stay until the next call.
  void make_exact(std::span<const FeatureId> features);
  void drop_least_recent();
  void low_pairs(std::span<const PairRequest> requests, std::span<const LowPair> pairs, std::span<double> out);
  void factor_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which, std::span<double> out);
  // Answers the requests whose products are claimed and pass the test; returns the others.
  std::vector<std::size_t> claimed_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which,
                                         std::span<double> out);
  // All these pairs that are wanted; the factors of all are held together.
  void pair_up_all(std::span<const FeatureId> lefts, std::span<const Partner> partners, std::span<double> out);
  // The pairs of candidates [first, last) of `lefts` with these partners.
  void pair_up(std::span<const FeatureId> lefts, std::size_t first, std::size_t last, std::span<const Partner> partners,
               std::span<double> out);
  void full_pairs(std::span<const PairRequest> requests, std::span<const std::size_t> which, std::span<double> out);
  // Over the threads when there is enough to do, else here: waking a thread takes longer than a small batch. Stops
  // between items when asked to.
  void run(std::int64_t count, double nanoseconds_each, const std::function<void(std::int64_t item, int worker)>& work);

  Engine& engine_;
  WorkerPool& pool_;
  const Context& context_;
  const Scores& scores_;
  const Factor& target_factor_;
  const FullKernel* target_kernel_;
  KernelOptions options_;
  SketchBasis basis_;
  MemoryPlan limits_;
  const KeptProducts* claims_;
  std::unique_ptr<KeptProducts> products_;
  std::int64_t fetched_bytes_ = 0;  // of values and of the sketches that may follow
  std::int64_t exact_bytes_ = 0;
  std::uint64_t clock_ = 0;     // of factors
  std::uint64_t fetches_ = 0;   // the clock of values
  std::uint64_t lookouts_ = 0;  // that of sketches
  std::unordered_map<FeatureId, std::unique_ptr<Candidate>> candidates_;
  std::array<Candidate*, 1024> recent_{};  // by the last bits of their ids: asked for over and over
  // R of pairs once computed, while there are not too many.
  std::unordered_map<FeaturePair, double, FeaturePairHash> known_;
  std::list<Candidate*> exact_;  // those that hold a factor or a full kernel, the last used first
  double largest_residual_ = 0.0;
  double columns_made_ = 0.0;
  double factors_made_ = 0.0;
};

}  // namespace land
