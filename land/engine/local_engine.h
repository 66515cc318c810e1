// The engine of one machine: blocks of a FeatureSource over the threads of a pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/context.h"
#include "land/engine/engine.h"
#include "land/engine/worker_pool.h"

namespace land {

class LocalEngine final : public Engine {
 public:
  struct Options {
    std::int64_t block_size = 0;  // features per block, 0 to choose one that fits the cache
    // Features that will be asked for in the end. Several times as many of the best are kept while they are in cache,
    // and so is what is fetched: they need no second read.
    std::int64_t wanted = 0;
    std::int64_t most_kept = 0;  // bytes of what is kept
    // Bytes of a mapped file that may be in memory at a time while all features are scored; 0: all of it.
    std::int64_t window = 0;
  };
  using Kept = std::unordered_map<FeatureId, std::shared_ptr<const FeatureBlock>>;

  LocalEngine(const FeatureSource& source, WorkerPool& pool, const Context& context, const Options& options);

  std::int64_t features() const override { return source_.features(); }
  std::int64_t samples() const override { return source_.samples(); }
  Scores score(const Scorer& scorer, FeatureId first, FeatureId last, bool refine) override;
  void score_each(std::span<const Scorer* const> scorers, const TakeScores& take) override;
  std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) override;
  void visit(std::span<const FeatureId> ids,
             const std::function<void(std::size_t position, const FeatureView& feature)>& look) override;

 private:
  class Pass;
  // A block of features of the source, or of a copy of a part of it.
  using VisitBlock = std::function<void(const FeatureSource& source, FeatureId first, std::int64_t count, int worker)>;

  // Every block once, by all threads, as much of a mapped file at a time as may be in memory.
  void for_each_block(FeatureId first, FeatureId last, const VisitBlock& visit);
  // How many features each worker keeps from the scoring pass.
  std::int64_t shortlisted() const;
  void keep(const std::shared_ptr<const FeatureBlock>& block);
  // A file in which features are scattered, all of it.
  void load_file();

  const FeatureSource& source_;
  WorkerPool& pool_;
  const Context& context_;
  std::int64_t block_size_;
  std::int64_t wanted_;
  std::int64_t most_kept_;
  std::int64_t window_;  // 0 if all of the file fits
  Kept kept_;
  std::int64_t kept_bytes_ = 0;
};

}  // namespace land
