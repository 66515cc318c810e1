// The second engine: everything passes through bytes to a worker that has features of its own, and back. Work is cut up
// in odd ways, and parts come in no order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/blocks/feature_source.h"
#include "land/engine/engine.h"
#include "land/engine/job_groups.h"

namespace land::test {

// What would run elsewhere: it is told and asked by messages alone.
class LoopbackWorker {
 public:
  explicit LoopbackWorker(std::shared_ptr<const FeatureSource> source);

  std::string shape() const;
  FeatureId strip_start(FeatureId feature) const { return source_->strip_start(feature); }
  void accept(std::span<const std::string> jobs);
  // Scores of features [first, last) by every job, in the order of the jobs; empty for one that has none of them.
  // Thread-safe.
  std::vector<std::string> score(FeatureId first, FeatureId last) const;
  std::string fetch(std::string_view ids) const;
  // Features [first, last) of a job of permutations.
  std::string permute(std::string_view job, FeatureId first, FeatureId last) const;

 private:
  std::shared_ptr<const FeatureSource> source_;
  std::vector<ScoreJob> jobs_;
  std::optional<JobGroups> groups_;
};

class LoopbackEngine final : public Engine {
 public:
  LoopbackEngine(std::shared_ptr<const FeatureSource> source, const Context& context);

  Shape shape() const override;
  FeatureId strip_start(FeatureId feature) const override { return worker_.strip_start(feature); }
  void score(std::span<const ScoreJob> jobs, const TakeScores& take) override;
  PermutedScores permute(const PermutationJob& job) override;
  int workers() const override { return pool_.threads(); }
  EngineWork work() const override { return {"loopback", pool_.threads()}; }
  std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) override;

 private:
  LoopbackWorker worker_;
  WorkerPool pool_;
  const Context& context_;
  std::uint64_t passes_ = 0;
};

}  // namespace land::test
