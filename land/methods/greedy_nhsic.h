// mrmr-nhsic: feature after feature, the one with the largest f less the mean of its R with those chosen before (mRMR
// of Peng, Long and Ding with NHSIC in place of mutual information).
//
// Lazy, and the same choice as the textbook algorithm: f from above and R from below (stages of PairOracle; R >= 0 of
// pairs that were not asked for) bound the score from above. The feature of the largest bound is made more exact until
// no bound reaches the best score. Scores within 1e-12 of the largest f are a tie: the lowest index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/method.h"
#include "land/path/pair_oracle.h"

namespace land {

struct GreedyChoice {
  std::vector<Chosen> chosen;  // the score is the one it was chosen by: f less the mean of R
  std::int64_t touched = 0;    // features that were asked for anything
  std::vector<std::int64_t> pairs_by_stage;
};

// `bounds`: of every f from above; negative: never chosen. `progress` is told how many are chosen, often.
GreedyChoice choose_greedily(std::span<const double> bounds, PairOracle& oracle, std::int64_t wanted,
                             const std::function<void(std::int64_t)>& progress);

std::unique_ptr<Method> make_greedy_nhsic();

}  // namespace land
