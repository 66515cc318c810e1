// The scores of one block: what every worker computes, wherever it is.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "land/base/context.h"
#include "land/blocks/copy_key.h"
#include "land/blocks/feature_block.h"
#include "land/engine/score_job.h"
#include "land/scores/scores.h"

namespace land {

// One for each thread that scores; buffers are used again from block to block.
class BlockScores {
 public:
  // `keys`: of the samples of all blocks; null where the source has signatures.
  BlockScores(const CopyKeys* keys, Context context) : keys_(keys), context_(std::move(context)) {}

  // What the jobs share: checksums, signatures or keys, and missing values of the block's features, which have rising
  // ids without gaps.
  void look(const FeatureBlock& block);
  // Of one job, after look(): the features of the block that are in its range, all of which are in whole strips.
  const Scores& score(const FeatureBlock& block, const ScoreJob& job);
  // Of all features of the block, as score() has left them.
  std::span<const Score> all() const { return all_; }

 private:
  const CopyKeys* keys_;
  Context context_;
  std::vector<Score> all_;
  Scores looked_;  // of the whole block, without bounds
  Scores part_;
};

}  // namespace land
