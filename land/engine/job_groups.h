// Jobs by the samples that they use: a block is cut down once for all that use the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "land/base/context.h"
#include "land/blocks/copy_key.h"
#include "land/blocks/cut_samples.h"
#include "land/engine/block_scores.h"
#include "land/engine/score_job.h"

namespace land {

// What a pass needs of its jobs besides their scorers: made once, shared by its threads.
class JobGroups {
 public:
  struct Group {
    std::vector<std::size_t> jobs;         // rising
    std::unique_ptr<const SampleCut> cut;  // null: all samples
    std::unique_ptr<const CopyKeys> keys;  // of these samples; null where there are signatures
  };

  // Jobs that have been checked (check_job) and have their scorers; they stay where they are. `samples`: of the data.
  JobGroups(std::span<const ScoreJob> jobs, std::int64_t samples, bool has_signatures);

  std::span<const ScoreJob> jobs() const { return jobs_; }
  std::span<const Group> groups() const { return groups_; }

 private:
  std::span<const ScoreJob> jobs_;
  std::vector<Group> groups_;
};

// The scores of one block by all jobs. One for each thread; buffers are used again from block to block.
class GroupScores {
 public:
  GroupScores(const JobGroups& groups, const Context& context);

  // Called for every job that has some of a block's features, in the order of the groups, each at most once a block.
  // `part`: of the features in the job's range. `all`: of all features of the block.
  using Take = std::function<void(std::size_t job, const Scores& part, std::span<const Score> all)>;
  void score(const FeatureBlock& block, const Take& take);

 private:
  const JobGroups& groups_;
  std::vector<BlockScores> scores_;  // of each group
  FeatureBlock cut_;
};

}  // namespace land
