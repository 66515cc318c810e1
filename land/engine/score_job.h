// What is to be scored: a value that can be sent, and all that a worker needs to make its own scorer.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "land/base/feature_id.h"
#include "land/blocks/cut_samples.h"
#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/families/kernel_form.h"
#include "land/kernels/scoring/feature_scorer.h"
#include "land/options/options.h"

namespace land {

class JobScorer;

struct ScoreJob {
  // A target, or in its place a feature that is not constant, a block of that one, or a factor stored by sample. Of the
  // samples of the subset, if there is one.
  std::variant<std::shared_ptr<const Target>, std::shared_ptr<const FeatureBlock>, std::shared_ptr<const Factor>>
      against;
  KernelOptions kernel = {};
  // The range, in whole strips: each end is where a strip starts, or behind the last feature.
  FeatureId first = 0;
  FeatureId last = 0;
  bool refine = false;       // all from their forms, in double
  bool bounds_only = false;  // neither checksums, signatures nor missing values: those of another job are had already
  std::int64_t wanted = 0;   // how many of the best will be asked for in the end, about: worth keeping at hand
  std::shared_ptr<const SampleNumbers> subset = nullptr;  // the samples that count; null: all

  // Made from the rest by who needs it, too, and used where there is no need to send the job; null: not made yet.
  std::shared_ptr<const JobScorer> scorer = nullptr;

  std::int64_t samples() const;  // of `against`
};

// What a pass needs of a job, made once. Cost: a factor of the target, or its order.
class JobScorer {
 public:
  explicit JobScorer(const ScoreJob& job);
  JobScorer(const JobScorer&) = delete;
  JobScorer& operator=(const JobScorer&) = delete;

  const KernelForm& form() const { return form_; }
  const FeatureScorer& scorer() const { return *scorer_; }

 private:
  KernelForm form_;
  std::unique_ptr<const FeatureScorer> scorer_;
};

// The job with its scorer.
ScoreJob with_scorer(ScoreJob job);

}  // namespace land
