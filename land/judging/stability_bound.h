// How often a feature must be selected from halves of the samples, so that few of those that are rarely selected pass.
// Shah and Samworth (2013), "Variable selection with error control: another look at stability selection", theorem 2:
// the bound that R's package stabs calls "unimodal". docs/inference/stability.md.
#pragma once

#include <cstdint>
#include <optional>

namespace land {

// A share of the 2 x `pairs` selections, and what it promises.
struct StabilityThreshold {
  std::int64_t count = 0;  // of selections, at least: the share is count / (2 pairs)
  double bound = 0.0;      // expected number of features beyond it of those that are selected no more often than by
                           // chance
};

// The bound at a threshold of `count` selections, with `selected` features of `features` in each on average; nullopt
// where the theorem says nothing.
std::optional<double> stability_bound(std::int64_t count, std::int64_t pairs, double selected, std::int64_t features);

// The smallest threshold from 0.6 on whose bound is at most `max_false`; nullopt if there is none.
std::optional<StabilityThreshold> choose_threshold(std::int64_t pairs, double selected, std::int64_t features,
                                                   double max_false);

}  // namespace land
