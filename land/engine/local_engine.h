// The engine of one machine: blocks of a FeatureSource over the threads of a pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/blocks/feature_source.h"
#include "land/engine/engine.h"

namespace land {

class LocalEngine final : public Engine {
 public:
  using Kept = std::unordered_map<FeatureId, std::shared_ptr<const FeatureBlock>>;

  // `block_size`: features per block, 0 to choose one that fits the cache. All that is referred to outlives the engine.
  LocalEngine(const FeatureSource& source, WorkerPool& pool, const Context& context, std::int64_t block_size = 0);

  Shape shape() const override;
  FeatureId strip_start(FeatureId feature) const override { return source_.strip_start(feature); }
  void allow(const EngineMemory& memory) override { memory_ = memory; }
  // Several times as many features as the first job wants, the best, are kept while they are in cache, and so is what
  // is fetched: they need no second read.
  void score(std::span<const ScoreJob> jobs, const TakeScores& take) override;
  PermutedScores permute(const PermutationJob& job) override;
  int workers() const override { return pool_.threads(); }
  EngineWork work() const override { return {"threads", pool_.threads()}; }
  std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) override;
  void visit(std::span<const FeatureId> ids, const Look& look) override;

 private:
  class Pass;
  // A block of features of the source, or of a copy of a part of it.
  using VisitBlock = std::function<void(const FeatureSource& source, FeatureId first, std::int64_t count, int worker)>;

  // Every block once, by all threads, as much of a mapped file at a time as may be in memory.
  void for_each_block(FeatureId first, FeatureId last, const VisitBlock& visit);
  // How many features each worker keeps from a pass at whose end so many are wanted.
  std::int64_t shortlisted(std::int64_t wanted) const;
  void keep(const std::shared_ptr<const FeatureBlock>& block);
  // A file in which features are scattered, all of it.
  void load_file();

  const FeatureSource& source_;
  WorkerPool& pool_;
  const Context& context_;
  std::int64_t block_size_;
  EngineMemory memory_;
  Kept kept_;
  std::int64_t kept_bytes_ = 0;
};

}  // namespace land
