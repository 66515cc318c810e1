// Parts of a job's scores, in any order and from any thread -> the scores of its range.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "land/base/context.h"
#include "land/engine/engine.h"
#include "land/engine/feature_ranges.h"
#include "land/scores/scores.h"

namespace land {

class ScoredParts {
 public:
  // A job that has been checked (check_job).
  explicit ScoredParts(const ScoreJob& job);

  // Thread-safe. Throws InputError for features that are not asked for, or that another part has. Returns how many
  // features there are now.
  std::int64_t add(const Scores& part);
  // Once. Throws InputError if some are missing.
  Scores take();

 private:
  std::mutex mutex_;
  FeatureRanges there_;
  Scores scores_;
  bool bounds_only_;
  std::int64_t added_ = 0;
  bool is_signed_ = false;
  bool has_keys_ = false;
};

// The scores of jobs, made in one pass over the data. Throws InputError for a job that does not fit the data. Reports
// progress as "scoring".
std::vector<Scores> score_jobs(Engine& engine, std::span<const ScoreJob> jobs, const Context& context);
// Of one.
Scores score_job(Engine& engine, const ScoreJob& job, const Context& context);

}  // namespace land
